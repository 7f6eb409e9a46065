import type { DatasetAction } from '@redoubt/contract';
import { SelectInput, type SelectOption } from '@redoubt/ui';
import Box from '@mui/material/Box';
import { useState, type ReactElement } from 'react';
import { ChooseForm } from './ChooseForm.tsx';
import { datasetActions, toDatasetAction } from './dataset-access.ts';
import { peopleText as texts } from '../../text/people.ts';

interface DatasetGrantFormProps {
  label: string;
  options: readonly SelectOption[];
  isPending: boolean;
  isPrimary?: boolean;
  onGrant: (value: string, action: DatasetAction) => void;
}

/** A form that grants a right on a dataset to a group; the options are datasets or groups. */
export const DatasetGrantForm = ({
  label,
  options,
  isPending,
  isPrimary = false,
  onGrant,
}: DatasetGrantFormProps): ReactElement => {
  const [action, setAction] = useState<DatasetAction>('read');
  return (
    <ChooseForm
      label={label}
      options={options}
      submitText={texts.grant}
      isPrimary={isPrimary}
      isPending={isPending}
      onChoose={(value) => onGrant(value, action)}
    >
      <Box sx={{ width: 112 }}>
        <SelectInput
          label={texts.membersMay}
          value={action}
          options={datasetActions}
          onChange={(value) => setAction(toDatasetAction(value))}
        />
      </Box>
    </ChooseForm>
  );
};
