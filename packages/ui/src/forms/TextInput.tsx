import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput';
import type { ReactElement, ReactNode } from 'react';
import { LabelledField } from './LabelledField.tsx';

interface TextInputProps extends OutlinedInputProps {
  label: string;
  hint?: ReactNode;
  /** Why the value cannot be used. */
  problem?: string | undefined;
}

/** An input with its label above, and a hint or an error below. */
export const TextInput = ({ label, hint, problem, ...input }: TextInputProps): ReactElement => (
  <LabelledField label={label} hint={hint} problem={problem}>
    {(id, noteId) => (
      <OutlinedInput {...input} id={id} fullWidth error={problem !== undefined} aria-describedby={noteId} />
    )}
  </LabelledField>
);
