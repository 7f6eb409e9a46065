import { InlineError } from '@redoubt/ui';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId, type ReactElement, type ReactNode } from 'react';
import { describeError } from '../../api/client.ts';
import { peopleText as texts } from '../../text/people.ts';

interface FormDialogProps {
  title: string;
  submitText: string;
  isPending: boolean;
  isDisabled?: boolean;
  error: unknown;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog that contains one form. */
export const FormDialog = ({
  title,
  submitText,
  isPending,
  isDisabled = false,
  error,
  onSubmit,
  onClose,
  children,
}: FormDialogProps): ReactElement => {
  const id = useId();
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby={id}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <DialogTitle id={id}>{title}</DialogTitle>
        <DialogContent>
          {error !== null && <InlineError message={describeError(error).message} />}
          {children}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant="contained" color="primary" loading={isPending} disabled={isDisabled}>
            {submitText}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
};
