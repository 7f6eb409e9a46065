import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import Typography from '@mui/material/Typography';
import type { SxProps, Theme } from '@mui/material/styles';
import type { ReactElement } from 'react';

interface HintedRadioProps {
  value: string;
  text: string;
  /** Stands below the text. */
  hint: string;
  isDisabled?: boolean;
  sx: SxProps<Theme>;
}

/** One of several options, with a line that explains it. */
export const HintedRadio = ({
  value,
  text,
  hint,
  isDisabled = false,
  sx,
}: HintedRadioProps): ReactElement => (
  <FormControlLabel
    value={value}
    disabled={isDisabled}
    control={<Radio size="small" sx={{ alignSelf: 'flex-start', py: 0.25 }} />}
    label={
      <>
        {text}
        <Typography variant="caption" component="span" sx={{ display: 'block', color: 'text.secondary' }}>
          {hint}
        </Typography>
      </>
    }
    sx={sx}
  />
);

interface HintedCheckboxProps {
  text: string;
  hint: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

/** An option to choose or leave, with a paragraph that explains it. */
export const HintedCheckbox = ({ text, hint, isChecked, onChange }: HintedCheckboxProps): ReactElement => (
  <>
    <FormControlLabel
      label={text}
      control={
        <Checkbox size="small" checked={isChecked} onChange={(_event, checked) => onChange(checked)} />
      }
    />
    <Typography variant="caption" component="p" sx={{ mb: 2, color: 'text.secondary' }}>
      {hint}
    </Typography>
  </>
);
