import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import type { ReactElement, ReactNode } from 'react';
import { LabelledField } from './LabelledField.tsx';

/** An option of a select: the value for the program, and the text that people read. */
export interface SelectOption {
  readonly value: string;
  readonly text: string;
}

interface SelectInputProps {
  label: string;
  value: string;
  options: readonly SelectOption[];
  onChange: (value: string) => void;
  hint?: ReactNode;
  /** Why the value cannot be used. */
  problem?: string | undefined;
  disabled?: boolean;
}

/** A choice of one of several values, with its label above, and a hint or an error below. */
export const SelectInput = ({
  label,
  value,
  options,
  onChange,
  hint,
  problem,
  disabled = false,
}: SelectInputProps): ReactElement => (
  <LabelledField label={label} hint={hint} problem={problem}>
    {(id, noteId) => (
      <NativeSelect
        fullWidth
        disabled={disabled}
        value={value}
        error={problem !== undefined}
        onChange={(event) => onChange(event.target.value)}
        input={<OutlinedInput />}
        inputProps={{ id, 'aria-describedby': noteId }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </NativeSelect>
    )}
  </LabelledField>
);
