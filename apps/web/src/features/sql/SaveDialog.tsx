import { InlineError, TextInput } from '@redoubt/ui';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useState, type FormEvent, type ReactElement } from 'react';
import { sqlText as texts } from '../../text/sql.ts';

interface SaveDialogProps {
  initialName: string;
  problem: string | undefined;
  onSave: (name: string) => void;
  onClose: () => void;
}

/** A dialog that asks for the name of a query to save. */
export const SaveDialog = ({ initialName, problem, onSave, onClose }: SaveDialogProps): ReactElement => {
  const [name, setName] = useState(initialName);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== '') onSave(name.trim());
  };
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs">
      <form onSubmit={submit}>
        <DialogTitle>{texts.saveQuery}</DialogTitle>
        <DialogContent>
          {problem !== undefined && <InlineError message={problem} />}
          <TextInput
            label={texts.nameQuery}
            hint={texts.savedHint}
            value={name}
            autoFocus
            inputProps={{ maxLength: 200 }}
            onChange={(event) => setName(event.target.value)}
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{texts.cancelSave}</Button>
          <Button type="submit" variant="contained" color="primary" disabled={name.trim() === ''}>
            {texts.submitSave}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
};
