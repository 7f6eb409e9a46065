import { TextInput, InlineError } from '@redoubt/ui';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Me } from '@redoubt/contract';
import { useState, type FormEvent, type ReactElement } from 'react';
import { describeError } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { datasetsText } from '../../text/datasets.ts';
import { useCreateDataset } from './datasets.ts';

const texts = datasetsText.create;

/** Asks for a name, creates the dataset and opens it. */
export const NewDatasetDialog = ({ onClose }: { onClose: () => void }): ReactElement => {
  const me = useQueryClient().getQueryData<Me | null>(keys.me);
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const create = useCreateDataset(me?.workspaceId ?? '');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate(
      { name: name.trim(), description: description.trim() },
      { onSuccess: ({ id }) => void navigate({ to: '/datasets/$id', params: { id } }) },
    );
  };
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="new-dataset">
      <form onSubmit={submit}>
        <DialogTitle id="new-dataset">{texts.title}</DialogTitle>
        <DialogContent>
          {create.error !== null && <InlineError message={describeError(create.error).message} />}
          <TextInput
            label={texts.name}
            value={name}
            onChange={(event) => setName(event.target.value)}
            required
            autoFocus
          />
          <TextInput
            label={texts.description}
            value={description}
            onChange={(event) => setDescription(event.target.value)}
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant="contained" color="primary" loading={create.isPending}>
            {texts.submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
};
