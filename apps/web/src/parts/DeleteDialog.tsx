import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId, type ReactElement } from 'react';

interface DeleteDialogProps {
  title: string;
  /** What is lost, and what stays. */
  hint: string;
  texts: { keep: string; delete: string };
  isPending: boolean;
  onDelete: () => void;
  onClose: () => void;
}

/** Asks before an object is deleted. */
export const DeleteDialog = ({
  title,
  hint,
  texts,
  isPending,
  onDelete,
  onClose,
}: DeleteDialogProps): ReactElement => {
  const id = useId();
  return (
    <Dialog open onClose={onClose} aria-labelledby={id}>
      <DialogTitle id={id}>{title}</DialogTitle>
      <DialogContent>{hint}</DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{texts.keep}</Button>
        <Button color="error" loading={isPending} onClick={onDelete}>
          {texts.delete}
        </Button>
      </DialogActions>
    </Dialog>
  );
};
