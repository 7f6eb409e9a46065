import type { Dataset } from '@redoubt/contract';
import { TextInput, InlineError } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent, type ReactElement } from 'react';
import { describeError } from '../../api/client.ts';
import { datasetsText } from '../../text/datasets.ts';
import { useChangeDataset, useDeleteDataset } from './datasets.ts';

const texts = datasetsText.settings;

const NameForm = ({ dataset }: { dataset: Dataset }): ReactElement => {
  const [name, setName] = useState(dataset.name);
  const [description, setDescription] = useState(dataset.description);
  const change = useChangeDataset(dataset.id);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.mutate({ name: name.trim(), description: description.trim() });
  };
  return (
    <form onSubmit={submit}>
      {change.error !== null && <InlineError message={describeError(change.error).message} />}
      <TextInput label={texts.name} value={name} onChange={(event) => setName(event.target.value)} required />
      <TextInput
        label={texts.description}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <Button type="submit" variant="contained" color="primary" loading={change.isPending}>
        {texts.save}
      </Button>
      <Box component="span" role="status" sx={{ ml: 2, color: 'success.main' }}>
        {change.isSuccess && texts.saved}
      </Box>
    </form>
  );
};

const DeleteForm = ({ dataset }: { dataset: Dataset }): ReactElement => {
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  const remove = useDeleteDataset(dataset.id);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    remove.mutate(undefined, { onSuccess: () => void navigate({ to: '/datasets' }) });
  };
  return (
    <form onSubmit={submit}>
      <Typography variant="h2" sx={{ mt: 5, mb: 1 }}>
        {texts.remove}
      </Typography>
      <Typography sx={{ mb: 2, color: 'text.secondary' }}>{texts.removeHint}</Typography>
      {remove.error !== null && <InlineError message={describeError(remove.error).message} />}
      <TextInput
        label={texts.confirm(dataset.name)}
        value={typed}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button
        type="submit"
        variant="outlined"
        color="error"
        disabled={typed !== dataset.name}
        loading={remove.isPending}
      >
        {texts.removeButton}
      </Button>
    </form>
  );
};

/** Name, description and deletion, for people who manage the dataset. */
export const SettingsTab = ({ dataset }: { dataset: Dataset }): ReactElement => (
  <Box sx={{ p: { xs: 2, md: 3 }, maxWidth: 560 }}>
    <NameForm dataset={dataset} />
    <DeleteForm dataset={dataset} />
  </Box>
);
