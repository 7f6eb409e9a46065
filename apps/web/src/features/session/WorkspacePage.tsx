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
import { sessionText as texts } from '../../text/session.ts';
import { FilledText } from '../../parts/FilledText.tsx';

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
    <EntryPage title={own.length > 0 ? texts.chooseWorkspace : texts.createYourWorkspace}>
      <Typography sx={{ mb: 2, color: 'text.secondary' }}>
        <FilledText text={texts.whatAWorkspaceIs} values={{ name: <bdi>{me.displayName}</bdi> }} />
      </Typography>
      {workspaces.error !== null && (
        <ErrorState
          title={texts.workspacesFailed}
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
          <Divider sx={{ mb: 2 }}>{texts.or}</Divider>
        </>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate(name.trim());
        }}
      >
        <TextInput
          label={texts.newWorkspaceName}
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
          {texts.createWorkspace}
        </Button>
      </form>
      <Button onClick={() => signOut.mutate(sessionId)} variant="text" sx={{ mt: 2 }}>
        {texts.signOut}
      </Button>
    </EntryPage>
  );
};
