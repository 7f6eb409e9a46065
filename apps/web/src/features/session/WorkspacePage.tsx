import type { Me, Workspace } from '@redoubt/contract';
import { ErrorState, TextInput, InlineError } from '@redoubt/ui';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import List from '@mui/material/List';
import ListItemButton from '@mui/material/ListItemButton';
import Typography from '@mui/material/Typography';
import { useState, type ReactElement } from 'react';
import { describeError } from '../../api/client.ts';
import { EntryPage } from './EntryPage.tsx';
import { useCreateWorkspace, useEnterWorkspace, useSignOut, useWorkspaces } from './session.ts';

/** The page for people whose session is bound to no workspace. They choose one, or create one. */
export const WorkspacePage = ({ me }: { me: Me }): ReactElement => {
  const [name, setName] = useState('');
  const workspaces = useWorkspaces();
  const sessionId = me.sessionId ?? '';
  const enter = useEnterWorkspace(sessionId);
  const create = useCreateWorkspace();
  const signOut = useSignOut();
  const error = enter.error ?? create.error;
  const own: readonly Workspace[] = workspaces.data?.data ?? [];
  return (
    <EntryPage title={own.length > 0 ? 'Choose a workspace' : 'Create your workspace'}>
      <Typography sx={{ mb: 2, color: 'text.secondary' }}>
        You are signed in as {me.displayName}. A workspace holds your datasets and the people who may use
        them.
      </Typography>
      {workspaces.error !== null && (
        <ErrorState
          title="Your workspaces could not be loaded"
          {...describeError(workspaces.error)}
          onRetry={() => void workspaces.refetch()}
        />
      )}
      {error !== null && <InlineError message={describeError(error).message} />}
      {own.length > 0 && (
        <>
          <List sx={{ border: 1, borderColor: 'divider', borderRadius: 1, py: 0, mb: 2 }}>
            {own.map((workspace) => (
              <ListItemButton
                key={workspace.id}
                disabled={enter.isPending}
                onClick={() => enter.mutate(workspace.id)}
              >
                <bdi>{workspace.name}</bdi>
              </ListItemButton>
            ))}
          </List>
          <Divider sx={{ mb: 2 }}>or</Divider>
        </>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate(name.trim());
        }}
      >
        <TextInput
          label="Name of a new workspace"
          value={name}
          onChange={(event) => setName(event.target.value)}
          required
        />
        <Button
          type="submit"
          variant={own.length > 0 ? 'outlined' : 'contained'}
          color={own.length > 0 ? 'inherit' : 'primary'}
          fullWidth
          loading={create.isPending}
        >
          Create workspace
        </Button>
      </form>
      <Button onClick={() => signOut.mutate(sessionId)} variant="text" sx={{ mt: 2 }}>
        Sign out
      </Button>
    </EntryPage>
  );
};
