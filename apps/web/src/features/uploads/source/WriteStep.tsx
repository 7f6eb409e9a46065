import Box from '@mui/material/Box';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import type { ReactElement } from 'react';
import { Fact } from '../../../parts/Fact.tsx';
import { HintedRadio } from '../../../parts/HintedOption.tsx';
import { linesOf } from '../../../parts/sources/connection-info.ts';
import { sourcesText as texts } from '../../../text/sources.ts';
import { FieldChoice } from '../FieldChoice.tsx';
import type { KnownFields } from '../known-fields.ts';
import {
  isDocumentImport,
  isEndless,
  writeModeOf,
  writeModesOf,
  type SourceImport,
} from './source-import.ts';
import { WhenChoice } from './WhenChoice.tsx';

interface WriteStepProps {
  draft: SourceImport;
  /** The fields of the records. */
  fields: KnownFields;
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
  const { host, database, bucket, bootstrapServers = '', topics = '', connector, stream } = values;
  const place = connection?.name;
  switch (kind) {
    case 'URL':
      return (values.urls ?? '').trim();
    case 'S3':
      return `${place ?? `s3://${bucket ?? ''}`}/${values.prefix ?? ''}${values.pattern ?? ''}`;
    case 'KAFKA':
      return [place ?? linesOf(bootstrapServers).join(', '), linesOf(topics).join(', ')].join(' · ');
    case 'OTHER':
      return [place ?? connector, stream].join(' · ');
    case 'postgresql':
    case 'mysql':
    case 'mssql':
      return [
        ...(place === undefined ? [host, database] : [place]),
        kind !== 'mssql' && values.reads === 'query' ? values.query : values.table,
      ].join(' · ');
  }
};

/** The step that says what happens to the records that are there. */
export const WriteStep = ({
  draft,
  fields,
  mayRead,
  datasetName,
  onChange,
}: WriteStepProps): ReactElement => {
  const { keyColumns } = draft;
  const writeMode = writeModeOf(draft);
  const isDocument = isDocumentImport(draft);
  const modes = writeModesOf(draft);
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
          <HintedRadio
            key={mode}
            value={mode}
            text={isDocument && mode !== 'upsert' ? texts.pageModes[mode] : texts.writeModes[mode]}
            hint={isDocument && mode !== 'upsert' ? texts.pageHints[mode] : texts.writeHints[mode]}
            isDisabled={mode !== 'append' && !mayRead}
            sx={{ mb: 1, alignItems: 'flex-start' }}
          />
        ))}
      </RadioGroup>
      {!mayRead && (
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          {texts.needsRead}
        </Typography>
      )}
      {writeMode === 'upsert' && (
        <Box role="group" aria-label={texts.keyColumns} sx={{ pl: 4, mb: 1 }}>
          <FieldChoice fields={fields} chosen={keyColumns} onChange={setKeys} />
        </Box>
      )}
      <WhenChoice
        schedule={draft.schedule}
        name={datasetName}
        onlyOnce={isEndless(draft) ? texts.scheduleNeedsEnd : undefined}
        onChange={(schedule) => onChange({ ...draft, schedule })}
      />
      <Typography variant="h2" sx={{ mt: 3, mb: 1 }}>
        {texts.summary}
      </Typography>
      <Box component="dl" sx={{ display: 'grid', gap: 1, m: 0, mb: 1 }}>
        <Fact name={texts.summarySource}>
          <bdi>{sourceText(draft)}</bdi>
        </Fact>
        {isDocument && <Fact name={texts.summaryRecords}>{texts.pagesOfDocuments}</Fact>}
        <Fact name={texts.summaryLabels}>
          <bdi>{labelsText(draft)}</bdi>
        </Fact>
        <Fact name={texts.summaryInto}>
          <bdi>{datasetName}</bdi>
        </Fact>
      </Box>
    </Box>
  );
};
