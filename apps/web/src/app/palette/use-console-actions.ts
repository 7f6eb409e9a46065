import { useColorScheme } from '@mui/material/styles';
import type { Dataset, Me, Workspace } from '@redoubt/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Building2, Database, Keyboard, LogOut, Monitor, Moon, Sun } from '@redoubt/ui/icons';
import { useMemo } from 'react';
import type { Action } from '../../actions/action.ts';
import { datasetsQuery } from '../../api/datasets-query.ts';
import { useEnterWorkspace, useSignOut, useWorkspaces } from '../../features/session/session.ts';
import { shellText } from '../../text/shell.ts';
import { navigation } from '../navigation.ts';

const schemes = [
  ['system', Monitor],
  ['light', Sun],
  ['dark', Moon],
] as const;

/** Actions on the console itself. The account menu shows them, too. */
export const useAccountActions = (me: Me, onShowShortcuts: () => void): readonly Action[] => {
  const { setMode } = useColorScheme();
  const { mutate: signOut } = useSignOut();
  const sessionId = me.sessionId ?? '';
  const { mutate: enter } = useEnterWorkspace(sessionId);
  const workspaces = useWorkspaces();
  return useMemo((): readonly Action[] => {
    const others = (workspaces.data?.data ?? []).filter(({ id }: Workspace) => id !== me.workspaceId);
    return [
      ...schemes.map(([scheme, icon]): Action => ({
        id: `scheme.${scheme}`,
        group: 'console',
        title: shellText.account.scheme[scheme],
        words: 'theme mode',
        icon,
        run: () => setMode(scheme),
      })),
      ...others.map(({ id, name }: Workspace): Action => ({
        id: `workspace.${id}`,
        group: 'console',
        title: `${shellText.account.enterWorkspace} ${name}`,
        icon: Building2,
        run: () => enter(id),
      })),
      {
        id: 'shortcuts.show',
        group: 'console',
        title: shellText.shortcuts.show,
        words: 'help keys',
        keys: '?',
        icon: Keyboard,
        run: onShowShortcuts,
      },
      {
        id: 'session.end',
        group: 'console',
        title: shellText.account.signOut,
        words: 'log out',
        icon: LogOut,
        run: () => signOut(sessionId),
      },
    ];
  }, [workspaces.data, me.workspaceId, sessionId, setMode, enter, signOut, onShowShortcuts]);
};

/** Actions that open pages and the datasets that the person may read. */
export const useGoActions = (): readonly Action[] => {
  const navigate = useNavigate();
  const datasets = useQuery(datasetsQuery);
  return useMemo((): readonly Action[] => {
    const pages = navigation.map(({ to, title, icon, keys, words }): Action => ({
      id: `go.${to}`,
      group: 'go',
      title: shellText.goTo(title),
      icon,
      ...(keys !== undefined && { keys }),
      ...(words !== undefined && { words }),
      run: () => void navigate({ to }),
    }));
    const readable = (datasets.data?.data ?? []).filter(
      ({ currentUserPermissions: may }: Dataset) => may.read,
    );
    const opened = readable.map(({ id, name, description }: Dataset): Action => ({
      id: `dataset.${id}`,
      group: 'dataset',
      title: name,
      words: description,
      icon: Database,
      run: () => void navigate({ to: '/datasets/$id', params: { id } }),
    }));
    return [...pages, ...opened];
  }, [datasets.data, navigate]);
};
