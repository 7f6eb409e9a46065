import { SelectInput } from '@redoubt/ui';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import type { ReactElement } from 'react';
import { FieldChoice } from './FieldChoice.tsx';
import type { KnownFields } from './known-fields.ts';
import type { LabelChoice, LabelMode, ParserId, Policy } from './label-choice.ts';
import { LabelInput } from '../../parts/labels/LabelInput.tsx';
import { uploadsText as texts } from '../../text/uploads.ts';

const modes: readonly { value: LabelMode; text: string }[] = [
  { value: 'none', text: texts.noLabel },
  { value: 'one', text: texts.oneLabel },
  { value: 'columns', text: texts.labelFromColumns },
];

const parsers: readonly { value: ParserId; text: string }[] = [
  { value: 'identity-parser', text: texts.labelExpression },
  { value: 'capco-parser', text: texts.capcoMarking },
];

const policies: readonly { value: Policy; text: string }[] = [
  { value: 'drop', text: texts.leaveRowOut },
  { value: 'replace', text: texts.giveOtherLabel },
  { value: 'ignore', text: texts.storeWithoutLabel },
];

/** Columns with such names come first, because they probably contain labels. */
const likely = /label|access|classification|marking|security/i;

interface LabelOptionsProps {
  choice: LabelChoice;
  /** Undefined for documents, whose pages have no fields with labels. */
  fields: KnownFields | undefined;
  onChange: (choice: LabelChoice) => void;
}

/** The options for who will see the rows: everyone who may read the dataset, or people who satisfy labels. */
export const LabelOptions = ({ choice, fields, onChange }: LabelOptionsProps): ReactElement => {
  const { mode } = choice;
  const { names = [], isComplete = true } = fields ?? {};
  const sorted = names.toSorted((a, b) => Number(likely.test(b)) - Number(likely.test(a)));
  return (
    <Box component="section">
      <Typography variant="h2" id="labels" sx={{ mb: 0.5 }}>
        {texts.labels}
      </Typography>
      <RadioGroup
        aria-labelledby="labels"
        value={fields === undefined && mode === 'columns' ? null : mode}
        onChange={(_event, value) => {
          const next = modes.find((one) => one.value === value)?.value ?? 'none';
          const guess = sorted.find((name) => likely.test(name));
          const isFirst = next === 'columns' && choice.fields.length === 0 && guess !== undefined;
          onChange({ ...choice, mode: next, ...(isFirst && { fields: [guess] }) });
        }}
      >
        {modes
          .filter(({ value }) => fields !== undefined || value !== 'columns')
          .map(({ value, text }) => (
            <FormControlLabel
              key={value}
              value={value}
              label={value === 'columns' && !isComplete ? texts.labelFromFields : text}
              control={<Radio size="small" sx={{ py: 0.5 }} />}
            />
          ))}
      </RadioGroup>
      <Box sx={{ mt: 1 }}>
        {mode === 'none' && (
          <Alert severity="warning" variant="outlined">
            {texts.noLabelHint}
          </Alert>
        )}
        {mode === 'one' && (
          <LabelInput
            label={texts.labelOfAll}
            value={choice.label}
            onChange={(label) => onChange({ ...choice, label })}
          />
        )}
        {mode === 'columns' && fields !== undefined && (
          <>
            <Typography
              variant="caption"
              component="p"
              id="label-columns"
              sx={{ color: 'text.secondary', fontWeight: 500 }}
            >
              {isComplete ? texts.labelColumns : texts.labelFields}
            </Typography>
            <Box role="group" aria-labelledby="label-columns" sx={{ mb: 1 }}>
              <FieldChoice
                fields={{ names: sorted, isComplete }}
                chosen={choice.fields}
                onChange={(next) => onChange({ ...choice, fields: next })}
              />
            </Box>
            <SelectInput
              label={texts.columnsHold}
              value={choice.parser}
              options={parsers}
              onChange={(value) =>
                onChange({
                  ...choice,
                  parser: parsers.find((one) => one.value === value)?.value ?? choice.parser,
                })
              }
            />
            <SelectInput
              label={texts.rowWithoutLabel}
              value={choice.policy}
              options={policies}
              onChange={(value) =>
                onChange({ ...choice, policy: policies.find((one) => one.value === value)?.value ?? 'drop' })
              }
            />
            {choice.policy === 'replace' && (
              <LabelInput
                label={texts.replacementLabel}
                value={choice.replacement}
                onChange={(replacement) => onChange({ ...choice, replacement })}
              />
            )}
            {choice.policy === 'ignore' && (
              <Alert severity="warning" variant="outlined">
                {texts.withoutLabelHint}
              </Alert>
            )}
          </>
        )}
      </Box>
    </Box>
  );
};
