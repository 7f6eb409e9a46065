import type { Me } from '@redoubt/contract';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useNavigate } from '@tanstack/react-router';
import { Search } from '@redoubt/ui/icons';
import { lazy, Suspense, useCallback, useRef, useState, type ReactElement } from 'react';
import type { Action } from '../../actions/action.ts';
import { currentPageActions } from '../../actions/page-actions.ts';
import { loadPart } from '../../api/connection.ts';
import { shellText } from '../../text/shell.ts';
import { AccountMenu } from '../AccountMenu.tsx';
import { Keys } from './Keys.tsx';
import { useAccountActions, useGoActions } from './use-console-actions.ts';
import { useShortcuts } from './use-shortcuts.ts';

const CommandPalette = lazy(async () => ({
  default: (await loadPart(() => import('./CommandPalette.tsx'))).CommandPalette,
}));
const ShortcutList = lazy(async () => ({
  default: (await loadPart(() => import('./ShortcutList.tsx'))).ShortcutList,
}));

const maxRecent = 5;

type Overlay = { kind: 'palette' | 'shortcuts'; actions: readonly Action[] };

/** The button that opens the palette, and the account menu. */
export const Commands = ({ me }: { me: Me }): ReactElement => {
  const navigate = useNavigate();
  const [overlay, setOverlay] = useState<Overlay>();
  // Kept only in memory, so that the next person in this browser does not see it.
  const recent = useRef<readonly string[]>([]);
  const show = useRef<(kind: Overlay['kind']) => void>(() => undefined);
  const showShortcuts = useCallback(() => show.current('shortcuts'), []);
  const account = useAccountActions(me, showShortcuts);
  const go = useGoActions();
  const listActions = (): readonly Action[] => [
    ...currentPageActions(),
    ...go,
    {
      id: 'palette.open',
      group: 'console',
      title: shellText.shortcuts.palette,
      keys: 'Mod+k',
      run: () => show.current('palette'),
    },
    ...account,
  ];
  show.current = (kind) => setOverlay({ kind, actions: listActions() });
  useShortcuts(listActions);

  const close = (): void => setOverlay(undefined);
  const run = ({ id, run: act }: Pick<Action, 'id' | 'run'>): void => {
    recent.current = [id, ...recent.current.filter((one) => one !== id)].slice(0, maxRecent);
    close();
    act();
  };
  return (
    <>
      <Button
        onClick={() => show.current('palette')}
        aria-label={shellText.palette.label}
        aria-haspopup="dialog"
        startIcon={<Search size={16} strokeWidth={1.5} aria-hidden />}
        sx={{
          width: { md: 320 },
          minWidth: 40,
          justifyContent: 'flex-start',
          fontWeight: 400,
          color: 'text.secondary',
          '& .MuiButton-startIcon': { mr: { xs: 0, md: 1 }, ml: { xs: 0, md: -0.5 } },
        }}
      >
        <Box component="span" sx={{ flex: 1, textAlign: 'left', display: { xs: 'none', md: 'inline' } }}>
          {shellText.palette.open}
        </Box>
        <Box component="span" sx={{ display: { xs: 'none', md: 'inline-flex' } }}>
          <Keys keys="Mod+k" />
        </Box>
      </Button>
      <Box sx={{ flex: 1, display: { xs: 'none', md: 'block' } }} />
      <AccountMenu me={me} actions={account} />
      <Suspense>
        {overlay?.kind === 'palette' && (
          <CommandPalette
            actions={overlay.actions.filter(({ id }) => id !== 'palette.open')}
            recent={recent.current}
            onRun={run}
            onSearch={(q) => {
              close();
              void navigate({ to: '/search', search: { q } });
            }}
            onClose={close}
          />
        )}
        {overlay?.kind === 'shortcuts' && <ShortcutList actions={overlay.actions} onClose={close} />}
      </Suspense>
    </>
  );
};
