import { formatNumber } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import IconButton from '@mui/material/IconButton';
import InputBase from '@mui/material/InputBase';
import Typography from '@mui/material/Typography';
import { Search, X } from '@redoubt/ui/icons';
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import type { Action } from '../../actions/action.ts';
import { shellText } from '../../text/shell.ts';
import { Keys } from './Keys.tsx';
import { listEntries, type PaletteEntry } from './palette-entries.ts';

interface CommandPaletteProps {
  actions: readonly Action[];
  /** The ids of the actions that were run before, the latest first. */
  recent: readonly string[];
  onRun: (action: Pick<Action, 'id' | 'run'>) => void;
  /** Searches all datasets for the typed text. */
  onSearch: (text: string) => void;
  onClose: () => void;
}

const texts = shellText.palette;

interface OptionProps {
  entry: Pick<PaletteEntry, 'icon' | 'keys' | 'title'>;
  id: string;
  isActive: boolean;
  onPoint: () => void;
  onRun: () => void;
}

const Option = ({ entry, id, isActive, onPoint, onRun }: OptionProps): ReactElement => {
  const Icon = entry.icon ?? Search;
  return (
    <Box
      component="li"
      role="option"
      id={id}
      aria-selected={isActive}
      onMouseMove={onPoint}
      onClick={onRun}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        minHeight: 36,
        px: 2,
        cursor: 'pointer',
        '&[aria-selected="true"]': {
          backgroundColor: 'background.selected',
          boxShadow: 'inset 2px 0 var(--mui-palette-primary-main)',
        },
      }}
    >
      <Icon size={16} strokeWidth={1.5} aria-hidden />
      <Box
        component="bdi"
        sx={{ flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
      >
        {entry.title}
      </Box>
      {entry.keys !== undefined && <Keys keys={entry.keys} />}
    </Box>
  );
};

/** A dialog that finds pages, datasets and actions by typing and runs one, with the keyboard alone. */
export const CommandPalette = (props: CommandPaletteProps): ReactElement => {
  const { actions, recent, onRun, onSearch, onClose } = props;
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const id = useId();
  const { entries, left } = useMemo(() => listEntries(actions, recent, text), [actions, recent, text]);
  const typed = text.trim();
  /** While something is typed, one more option searches the records for it. */
  const count = entries.length + (typed === '' ? 0 : 1);
  const current = Math.min(active, count - 1);
  const optionId = (at: number): string => `${id}-${String(at)}`;

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);

  const run = (at: number): void => {
    const entry = entries[at];
    if (entry !== undefined) onRun(entry);
    else if (typed !== '') onSearch(typed);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && count > 0) setActive((current + step + count) % count);
    else if (event.key === 'Enter') run(current);
    else return;
    event.preventDefault();
  };

  return (
    <Dialog
      open
      onClose={onClose}
      aria-label={texts.label}
      transitionDuration={0}
      sx={{ '& .MuiDialog-container': { alignItems: 'flex-start' } }}
      slotProps={{
        paper: {
          sx: {
            width: { xs: '100%', sm: 640 },
            maxWidth: 640,
            mt: { xs: 0, sm: '10vh' },
            mx: { xs: 0, sm: 2 },
            maxHeight: { xs: '100%', sm: '70vh' },
          },
        },
      }}
    >
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 1.5,
          px: 2,
          borderBottom: 1,
          borderColor: 'divider',
        }}
      >
        <Search size={16} strokeWidth={1.5} aria-hidden />
        <InputBase
          autoFocus
          fullWidth
          value={text}
          placeholder={texts.placeholder}
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
          sx={{ height: 48, fontSize: 16 }}
          inputProps={{
            role: 'combobox',
            'aria-label': texts.label,
            'aria-expanded': true,
            'aria-autocomplete': 'list',
            'aria-controls': id,
            'aria-activedescendant': count === 0 ? undefined : optionId(current),
            // The input needs no outline: its caret shows that it has the focus.
            sx: { '&:focus-visible': { outline: 'none' } },
          }}
        />
        <IconButton
          aria-label={texts.close}
          onClick={onClose}
          sx={{ mr: -1, display: { xs: 'inline-flex', sm: 'none' } }}
        >
          <X size={16} strokeWidth={1.5} aria-hidden />
        </IconButton>
      </Box>
      <Box
        component="ul"
        ref={list}
        id={id}
        role="listbox"
        aria-label={texts.results}
        sx={{ m: 0, p: 0, py: 1, listStyle: 'none', overflow: 'auto', fontSize: 14 }}
      >
        {entries.map((entry, at) => (
          <Box component="li" role="presentation" key={entry.id}>
            {entry.group !== entries[at - 1]?.group && (
              <Typography
                variant="caption"
                component="p"
                sx={{ px: 2, pt: at === 0 ? 0 : 1, pb: 0.5, color: 'text.secondary', fontWeight: 500 }}
              >
                {texts.groups[entry.group]}
              </Typography>
            )}
            <Box component="ul" role="presentation" sx={{ m: 0, p: 0, listStyle: 'none' }}>
              <Option
                entry={entry}
                id={optionId(at)}
                isActive={at === current}
                onPoint={() => setActive(at)}
                onRun={() => run(at)}
              />
            </Box>
          </Box>
        ))}
        {typed !== '' && (
          <Option
            entry={{ title: texts.searchFor(typed) }}
            id={optionId(entries.length)}
            isActive={current === entries.length}
            onPoint={() => setActive(entries.length)}
            onRun={() => run(entries.length)}
          />
        )}
      </Box>
      <Typography
        variant="caption"
        component="p"
        role="status"
        sx={{ px: 2, py: 1, borderTop: 1, borderColor: 'divider', color: 'text.secondary' }}
      >
        {left > 0 ? texts.more(formatNumber(left)) : entries.length === 0 ? texts.nothing : texts.keys}
      </Typography>
    </Dialog>
  );
};
