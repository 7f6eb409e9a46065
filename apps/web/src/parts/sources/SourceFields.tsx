import { SelectInput, TextInput } from '@redoubt/ui';
import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { ingestOptionsQuery } from '../../api/shared-queries.ts';
import { sourcesText as texts } from '../../text/sources.ts';
import type { SourceProblems } from './connection-info.ts';
import {
  usualPorts,
  type SourceField,
  type SourceFieldName,
  type SourceKind,
  type SourceValues,
} from './source-kinds.ts';

const hints: Partial<Record<SourceFieldName, string>> = texts.hints;
const examples: Partial<Record<SourceFieldName, string>> = texts.examples;

interface SourceFieldsProps {
  kind: SourceKind;
  fields: readonly SourceField[];
  values: SourceValues;
  problems: SourceProblems;
  onChange: (values: SourceValues) => void;
}

/** The fields of a source. Narrow ones share a row. */
export const SourceFields = ({
  kind,
  fields,
  values,
  problems,
  onChange,
}: SourceFieldsProps): ReactElement => {
  const { data } = useQuery(ingestOptionsQuery);
  const connectors = [
    { value: '', text: texts.chooseConnector },
    ...(data?.connectors ?? []).map((value) => ({ value, text: value })),
  ];
  const change = (name: SourceFieldName, text: string): void => onChange({ ...values, [name]: text });
  return (
    <Box
      sx={{
        display: 'grid',
        columnGap: 2,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) minmax(0, 1fr)' },
      }}
    >
      {fields.map(({ name, input, choices = connectors, isNarrow, isRequired }) => (
        <Box key={name} sx={{ minWidth: 0, gridColumn: isNarrow === true ? undefined : '1 / -1' }}>
          {input === 'choice' ? (
            <SelectInput
              label={texts.fields[name]}
              value={values[name] ?? choices[0]?.value ?? ''}
              options={choices}
              hint={hints[name]}
              problem={problems[name]}
              onChange={(text) => change(name, text)}
            />
          ) : (
            <TextInput
              label={texts.fields[name]}
              value={values[name] ?? ''}
              problem={problems[name]}
              hint={hints[name]}
              placeholder={name === 'port' ? usualPorts[kind] : examples[name]}
              type={input === 'secret' ? 'password' : 'text'}
              autoComplete={input === 'secret' ? 'new-password' : 'off'}
              spellCheck={false}
              multiline={input === 'lines' || input === 'code'}
              minRows={input === 'lines' || input === 'code' ? 3 : undefined}
              maxRows={12}
              sx={input === 'lines' || input === 'code' ? { p: 0 } : undefined}
              required={isRequired === true}
              inputMode={input === 'number' ? 'numeric' : undefined}
              inputProps={
                input === 'lines' || input === 'code'
                  ? { style: { fontFamily: '"Roboto Mono", monospace', fontSize: 13 } }
                  : undefined
              }
              onChange={(event) => change(name, event.target.value)}
            />
          )}
        </Box>
      ))}
    </Box>
  );
};
