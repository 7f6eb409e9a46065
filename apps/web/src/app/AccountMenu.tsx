import type { Me, Workspace } from '@redoubt/contract';
import { useColorScheme } from '@mui/material/styles';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import ListSubheader from '@mui/material/ListSubheader';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState, type ReactElement } from 'react';
import { useEnterWorkspace, useSignOut, useWorkspaces } from '../features/session/session.ts';

const modes = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** The person, the colour scheme, the other workspaces, and the way out. */
export const AccountMenu = ({ me }: { me: Me }): ReactElement => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { mode, setMode } = useColorScheme();
  const sessionId = me.sessionId ?? '';
  const signOut = useSignOut();
  const enter = useEnterWorkspace(sessionId);
  const workspaces = useWorkspaces();
  const others: readonly Workspace[] = (workspaces.data?.data ?? []).filter(
    ({ id }: Workspace) => id !== me.workspaceId,
  );
  return (
    <>
      <Button
        variant="text"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <bdi>{me.displayName}</bdi>
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        <ListSubheader sx={{ lineHeight: '32px' }}>{me.email}</ListSubheader>
        <Divider />
        {modes.map(([value, label]) => (
          <MenuItem key={value} dense selected={mode === value} onClick={() => setMode(value)}>
            {label}
          </MenuItem>
        ))}
        {others.length > 0 && <Divider />}
        {others.map(({ id, name }) => (
          <MenuItem key={id} dense onClick={() => enter.mutate(id)}>
            Go to <bdi>&nbsp;{name}</bdi>
          </MenuItem>
        ))}
        <Divider />
        <MenuItem dense onClick={() => signOut.mutate(sessionId)}>
          Sign out
        </MenuItem>
      </Menu>
    </>
  );
};
