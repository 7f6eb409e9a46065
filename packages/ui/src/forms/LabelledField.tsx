import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useId, type ReactElement, type ReactNode } from 'react';

interface LabelledFieldProps {
  label: string;
  hint?: ReactNode;
  /** Why the value cannot be used. */
  problem?: string | undefined;
  /** The field, with its id and that of the text below it. */
  children: (id: string, noteId: string | undefined) => ReactElement;
}

/** A field with its label above, and a hint or an error below. */
export const LabelledField = ({ label, hint, problem, children }: LabelledFieldProps): ReactElement => {
  const id = useId();
  const noteId = `${id}-note`;
  const note = problem ?? hint;
  return (
    <Box sx={{ mb: 2, minWidth: 0 }}>
      <Typography
        component="label"
        htmlFor={id}
        variant="caption"
        sx={{ display: 'block', fontWeight: 500, mb: 0.5, color: 'text.secondary' }}
      >
        {label}
      </Typography>
      {children(id, note === undefined ? undefined : noteId)}
      {note !== undefined && (
        <Typography
          id={noteId}
          variant="caption"
          component="p"
          sx={{ mt: 0.5, color: problem === undefined ? 'text.secondary' : 'error.main' }}
        >
          {note}
        </Typography>
      )}
    </Box>
  );
};
