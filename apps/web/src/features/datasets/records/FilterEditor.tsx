import type { RowFilter } from '@redoubt/contract';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Popover from '@mui/material/Popover';
import Checkbox from '@mui/material/Checkbox';
import { TextInput } from '@redoubt/ui';
import { useState, type FormEvent, type ReactElement } from 'react';
import { operators, operatorWords } from './records-search.ts';
import { recordsText as texts } from '../../../text/records.ts';

interface FilterEditorProps {
  anchor: HTMLElement;
  fields: readonly string[];
  /** The filter to edit; undefined for a new one. */
  filter: RowFilter | undefined;
  onSave: (filter: RowFilter) => void;
  onClose: () => void;
}

const comparing: ReadonlySet<RowFilter['operator']> = new Set(['at-least', 'at-most', 'less-than']);

/** A popover that edits the field, operator and values of a filter. */
export const FilterEditor = ({
  anchor,
  fields,
  filter,
  onSave,
  onClose,
}: FilterEditorProps): ReactElement => {
  const [field, setField] = useState(filter?.field ?? fields[0] ?? '');
  const [operator, setOperator] = useState<RowFilter['operator']>(filter?.operator ?? 'is');
  const [text, setText] = useState(() =>
    (filter?.values ?? []).filter((value): value is string => value !== null).join('\n'),
  );
  const [hasNull, setHasNull] = useState(filter?.values.includes(null) ?? false);
  const isComparing = comparing.has(operator);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // An empty input stands for the empty text, unless only null is selected.
    const isNullOnly = text === '' && hasNull && !isComparing;
    const written = isNullOnly ? [] : isComparing ? [text.trim()] : text.split('\n');
    onSave({ field, operator, values: hasNull && !isComparing ? [...written, null] : written });
  };
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
    >
      <Box component="form" onSubmit={submit} sx={{ p: 2, width: 320 }} aria-label={texts.filter}>
        <Box sx={{ display: 'flex', gap: 1, mb: 1.5 }}>
          <NativeSelect
            value={field}
            onChange={(event) => setField(event.target.value)}
            input={<OutlinedInput />}
            inputProps={{ 'aria-label': texts.field }}
            sx={{ flex: 1, minWidth: 0 }}
          >
            {[...new Set([field, ...fields])].map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </NativeSelect>
          <NativeSelect
            value={operator}
            onChange={(event) => setOperator(operators.find((one) => one === event.target.value) ?? 'is')}
            input={<OutlinedInput />}
            inputProps={{ 'aria-label': texts.operator }}
          >
            {operators.map((one) => (
              <option key={one} value={one}>
                {operatorWords[one]}
              </option>
            ))}
          </NativeSelect>
        </Box>
        <TextInput
          label={isComparing ? texts.value : texts.valuesByLine}
          value={text}
          multiline={!isComparing}
          onChange={(event) => setText(event.target.value)}
          autoFocus
        />
        {!isComparing && operator !== 'contains' && (
          <FormControlLabel
            control={<Checkbox checked={hasNull} onChange={(event) => setHasNull(event.target.checked)} />}
            label={texts.withoutValue}
          />
        )}
        <Box sx={{ display: 'flex', gap: 1, justifyContent: 'flex-end' }}>
          <Button variant="text" onClick={onClose}>
            {texts.cancel}
          </Button>
          <Button type="submit">{texts.apply}</Button>
        </Box>
      </Box>
    </Popover>
  );
};
