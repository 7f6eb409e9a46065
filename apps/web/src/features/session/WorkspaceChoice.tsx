import { TextInput } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useState, type FormEvent, type ReactElement } from 'react';
import { textOf } from './form-text.ts';
import { sessionText as texts } from '../../text/session.ts';
import { FilledText } from '../../parts/FilledText.tsx';

interface WorkspaceChoiceProps {
  workspaceId: string;
  onChange: (workspaceId: string) => void;
}

/** An input for the id of the workspace to sign in to, because a workspace can have its own identity providers. */
export const WorkspaceChoice = ({ workspaceId, onChange }: WorkspaceChoiceProps): ReactElement => {
  const [isOpen, setIsOpen] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onChange(textOf(new FormData(event.currentTarget), 'workspace').trim());
    setIsOpen(false);
  };
  if (isOpen) {
    return (
      <Box component="form" onSubmit={submit} sx={{ mt: 2 }}>
        <TextInput
          label={texts.workspaceId}
          name="workspace"
          defaultValue={workspaceId}
          autoFocus
          hint={texts.workspaceIdHint}
        />
        <Button type="submit" fullWidth>
          {texts.useThisWorkspace}
        </Button>
      </Box>
    );
  }
  return (
    <Typography sx={{ mt: 1, color: 'text.secondary' }}>
      {workspaceId === '' ? (
        texts.ownProvider
      ) : (
        <FilledText text={texts.signInToWorkspace} values={{ id: <bdi>{workspaceId}</bdi> }} />
      )}{' '}
      <Link
        component="button"
        type="button"
        sx={{ verticalAlign: 'baseline' }}
        onClick={() => setIsOpen(true)}
      >
        {workspaceId === '' ? texts.nameWorkspace : texts.changeWorkspace}
      </Link>
    </Typography>
  );
};
