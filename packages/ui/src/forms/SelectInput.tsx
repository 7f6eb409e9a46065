import Box from '@mui/material/Box';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useId, type ReactElement } from 'react';

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
  disabled?: boolean;
}

/** A choice of one of several values, with its label above. */
export const SelectInput = ({
  label,
  value,
  options,
  onChange,
  disabled = false,
}: SelectInputProps): ReactElement => {
  const id = useId();
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
      <NativeSelect
        fullWidth
        disabled={disabled}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        input={<OutlinedInput />}
        inputProps={{ id }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </NativeSelect>
    </Box>
  );
};
