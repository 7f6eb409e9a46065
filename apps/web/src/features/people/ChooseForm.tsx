import { SelectInput, type SelectOption } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState, type ReactElement, type ReactNode } from 'react';
import { peopleText as texts } from '../../text/people.ts';

interface ChooseFormProps {
  label: string;
  options: readonly SelectOption[];
  submitText: string;
  isPending: boolean;
  isPrimary?: boolean;
  onChoose: (value: string) => void;
  /** More inputs after the select. */
  children?: ReactNode;
}

/** A form with a select, and a button that acts on the selected option. */
export const ChooseForm = ({
  label,
  options,
  submitText,
  isPending,
  isPrimary = false,
  onChoose,
  children,
}: ChooseFormProps): ReactElement => {
  const [value, setValue] = useState('');
  return (
    <Box
      component="form"
      sx={{ display: 'flex', gap: 1, alignItems: 'flex-end' }}
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(value);
        setValue('');
      }}
    >
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <SelectInput
          label={label}
          value={value}
          options={[{ value: '', text: texts.choose }, ...options]}
          onChange={setValue}
        />
      </Box>
      {children}
      <Button
        type="submit"
        variant={isPrimary ? 'contained' : 'outlined'}
        color={isPrimary ? 'primary' : 'inherit'}
        disabled={value === ''}
        loading={isPending}
        sx={{ mb: 2 }}
      >
        {submitText}
      </Button>
    </Box>
  );
};
