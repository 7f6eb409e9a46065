import { TextInput } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useState, type ReactElement, type ReactNode } from 'react';
import { sourcesText as texts } from '../../../text/sources.ts';
import type { SourceImport, WriteMode } from './source-import.ts';
import { WhenChoice } from './WhenChoice.tsx';

const modes = Object.keys(texts.writeModes) as WriteMode[];

interface WriteStepProps {
  draft: SourceImport;
  /** The columns of the rows; undefined if there was no preview. */
  columns: readonly string[] | undefined;
  /** Whether the person may read the dataset, which replacing records needs. */
  mayRead: boolean;
  datasetName: string;
  onChange: (draft: SourceImport) => void;
}

const labelsText = ({ choice }: SourceImport): string => {
  if (choice.mode === 'none') return texts.labelNone;
  return choice.mode === 'one' ? choice.label : texts.labelFrom(choice.fields.join(', '));
};

/** What is read, in the words of the source. */
const sourceText = ({ kind, values, connection }: SourceImport): string => {
  const { host, database, bucket } = values;
  const place = connection?.name;
  switch (kind) {
    case 'URL':
      return (values.urls ?? '').trim();
    case 'S3':
      return `${place ?? `s3://${bucket ?? ''}`}/${values.prefix ?? ''}${values.pattern ?? ''}`;
    case 'postgresql':
    case 'mysql':
    case 'mssql':
      return [
        ...(place === undefined ? [host, database] : [place]),
        kind !== 'mssql' && values.reads === 'query' ? values.query : values.table,
      ].join(' · ');
  }
};

const Fact = ({ name, children }: { name: string; children: ReactNode }): ReactElement => (
  <>
    <Typography component="dt" variant="caption" sx={{ color: 'text.secondary', fontWeight: 500 }}>
      {name}
    </Typography>
    <Box component="dd" sx={{ m: 0, mb: 1, overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
      <bdi>{children}</bdi>
    </Box>
  </>
);

/** The step that says what happens to the records that are there. */
export const WriteStep = ({
  draft,
  columns,
  mayRead,
  datasetName,
  onChange,
}: WriteStepProps): ReactElement => {
  const { writeMode, keyColumns } = draft;
  const [typed, setTyped] = useState(keyColumns.join(', '));
  const setKeys = (names: readonly string[]): void => onChange({ ...draft, keyColumns: names });
  return (
    <Box sx={{ maxWidth: 720 }}>
      <Typography variant="h2" id="write-mode" sx={{ mb: 0.5 }}>
        {texts.writeTitle}
      </Typography>
      <RadioGroup
        aria-labelledby="write-mode"
        value={writeMode}
        onChange={(_event, value) =>
          onChange({ ...draft, writeMode: modes.find((one) => one === value) ?? 'append' })
        }
      >
        {modes.map((mode) => (
          <FormControlLabel
            key={mode}
            value={mode}
            disabled={mode !== 'append' && !mayRead}
            control={<Radio size="small" sx={{ alignSelf: 'flex-start', py: 0.25 }} />}
            label={
              <>
                {texts.writeModes[mode]}
                <Typography
                  variant="caption"
                  component="span"
                  sx={{ display: 'block', color: 'text.secondary' }}
                >
                  {texts.writeHints[mode]}
                </Typography>
              </>
            }
            sx={{ mb: 1, alignItems: 'flex-start' }}
          />
        ))}
      </RadioGroup>
      {!mayRead && (
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          {texts.needsRead}
        </Typography>
      )}
      {writeMode === 'upsert' && columns === undefined && (
        <TextInput
          label={texts.keyColumnsTyped}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setKeys(
              event.target.value
                .split(',')
                .map((name) => name.trim())
                .filter((name) => name !== ''),
            );
          }}
        />
      )}
      {writeMode === 'upsert' && columns !== undefined && (
        <Box
          role="group"
          aria-label={texts.keyColumns}
          sx={{ maxHeight: 240, overflow: 'auto', pl: 4, mb: 1 }}
        >
          {columns.map((name) => (
            <FormControlLabel
              key={name}
              sx={{ display: 'flex', mr: 0 }}
              label={<bdi>{name}</bdi>}
              control={
                <Checkbox
                  size="small"
                  sx={{ py: 0.5 }}
                  checked={keyColumns.includes(name)}
                  onChange={(_event, checked) =>
                    setKeys(checked ? [...keyColumns, name] : keyColumns.filter((one) => one !== name))
                  }
                />
              }
            />
          ))}
        </Box>
      )}
      <WhenChoice
        schedule={draft.schedule}
        name={datasetName}
        onChange={(schedule) => onChange({ ...draft, schedule })}
      />
      <Typography variant="h2" sx={{ mt: 3, mb: 1 }}>
        {texts.summary}
      </Typography>
      <Box component="dl" sx={{ m: 0 }}>
        <Fact name={texts.summarySource}>{sourceText(draft)}</Fact>
        <Fact name={texts.summaryLabels}>{labelsText(draft)}</Fact>
        <Fact name={texts.summaryInto}>{datasetName}</Fact>
      </Box>
    </Box>
  );
};
