import type { FileOptions, UploadPreview } from '@redoubt/contract';
import { SelectInput } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { ReactElement } from 'react';
import { ColumnOptions } from './ColumnOptions.tsx';
import { uploadsText as texts } from '../../text/uploads.ts';

interface ReadingOptionsProps {
  preview: UploadPreview;
  /** The options that the person has changed. */
  options: FileOptions;
  onChange: (options: FileOptions) => void;
}

const delimiters = [
  [',', 'Comma ,'],
  [';', 'Semicolon ;'],
  ['\t', 'Tab'],
  ['|', 'Bar |'],
  [' ', 'Space'],
] as const;
const quotes = [
  ['"', 'Double quote "'],
  ["'", "Single quote '"],
  ['', 'None'],
] as const;
const escapes = [
  ['', 'Write it twice ""'],
  ['\\', 'Backslash \\"'],
] as const;
const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'iso-8859-1', 'iso-8859-15', 'shift_jis'];

/** The options of a select, to which the current value is added if it is missing. */
const withPresent = (
  present: string,
  choices: readonly (readonly [string, string])[],
): { value: string; text: string }[] =>
  [...choices, ...(choices.some(([value]) => value === present) ? [] : ([[present, present]] as const))].map(
    ([value, text]) => ({ value, text }),
  );

/** The detected options of reading the file, each of which can be changed. */
export const ReadingOptions = ({ preview, options, onChange }: ReadingOptionsProps): ReactElement => {
  const { dialect, encoding, format } = preview;
  return (
    <Box>
      <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', columnGap: 1 }}>
        {encoding !== null && (
          <SelectInput
            label={texts.encoding}
            value={encoding.toLowerCase()}
            options={withPresent(
              encoding.toLowerCase(),
              encodings.map((one) => [one, one.toUpperCase()] as const),
            )}
            onChange={(value) => onChange({ ...options, encoding: value })}
          />
        )}
        {dialect !== null && (
          <>
            <SelectInput
              label={texts.delimiter}
              value={dialect.delimiter}
              options={withPresent(dialect.delimiter, delimiters)}
              onChange={(value) => onChange({ ...options, delimiter: value })}
            />
            <SelectInput
              label={texts.quote}
              value={dialect.quote}
              options={withPresent(dialect.quote, quotes)}
              onChange={(value) => onChange({ ...options, quote: value })}
            />
            <SelectInput
              label={texts.escape}
              value={dialect.escape}
              options={withPresent(dialect.escape, escapes)}
              onChange={(value) => onChange({ ...options, escape: value })}
            />
            <SelectInput
              label={texts.firstRow}
              value={String(dialect.header)}
              options={[
                { value: 'true', text: texts.columnNames },
                { value: 'false', text: texts.aRecord },
              ]}
              onChange={(value) => onChange({ ...options, header: value === 'true' })}
            />
          </>
        )}
      </Box>
      {preview.sourceColumns !== null && (
        <ColumnOptions
          names={preview.sourceColumns}
          found={preview.columns ?? []}
          columns={options.columns ?? []}
          onChange={(columns) => onChange({ ...options, columns })}
        />
      )}
      {Object.keys(options).length > 0 && (
        <Button variant="text" onClick={() => onChange({})}>
          {texts.readAsFound(format)}
        </Button>
      )}
    </Box>
  );
};
