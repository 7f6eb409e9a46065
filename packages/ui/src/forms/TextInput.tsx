import Box from '@mui/material/Box';
import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useId, type ReactElement, type ReactNode } from 'react';

interface TextInputProps extends OutlinedInputProps {
  label: string;
  hint?: ReactNode;
  /** Why the value cannot be used. */
  problem?: string | undefined;
}

/** An input with its label above, and a hint or an error below. */
export const TextInput = ({ label, hint, problem, ...input }: TextInputProps): ReactElement => {
  const id = useId();
  const noteId = `${id}-note`;
  const note = problem ?? hint;
  return (
    <Box sx={{ mb: 2 }}>
      <Typography
        component="label"
        htmlFor={id}
        variant="caption"
        sx={{ display: 'block', fontWeight: 500, mb: 0.5, color: 'text.secondary' }}
      >
        {label}
      </Typography>
      <OutlinedInput
        {...input}
        id={id}
        fullWidth
        error={problem !== undefined}
        aria-describedby={note === undefined ? undefined : noteId}
      />
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
