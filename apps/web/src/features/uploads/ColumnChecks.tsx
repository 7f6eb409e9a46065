import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import type { ReactElement } from 'react';

interface ColumnChecksProps {
  columns: readonly string[];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

/** A checkbox for each column. The chosen ones are in the order in which they were chosen. */
export const ColumnChecks = ({ columns, chosen, onChange }: ColumnChecksProps): ReactElement[] =>
  columns.map((name) => (
    <FormControlLabel
      key={name}
      sx={{ display: 'flex', mr: 0 }}
      label={<bdi>{name}</bdi>}
      control={
        <Checkbox
          size="small"
          sx={{ py: 0.5 }}
          checked={chosen.includes(name)}
          onChange={(_event, checked) =>
            onChange(checked ? [...chosen, name] : chosen.filter((one) => one !== name))
          }
        />
      }
    />
  ));
