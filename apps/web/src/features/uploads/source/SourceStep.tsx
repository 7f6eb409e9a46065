import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactElement } from 'react';
import { fieldsOf, type SourceProblems } from '../../../parts/sources/connection-info.ts';
import { KindChoice } from '../../../parts/sources/KindChoice.tsx';
import { SourceFields } from '../../../parts/sources/SourceFields.tsx';
import { kindOf } from '../../../parts/sources/source-kinds.ts';
import { sourcesText as texts } from '../../../text/sources.ts';
import type { SourceImport } from './source-import.ts';
import { StoredChoice } from './StoredChoice.tsx';

interface SourceStepProps {
  draft: SourceImport;
  problems: SourceProblems;
  onChange: (draft: SourceImport) => void;
}

/** The step that names the source: its kind, the connection, and what is read. */
export const SourceStep = ({ draft, problems, onChange }: SourceStepProps): ReactElement => {
  const { kind, values } = draft;
  const { connection, choice } = fieldsOf(kind, values);
  const change = (changed: SourceImport['values']): void => onChange({ ...draft, values: changed });
  const rest = { kind, values, problems, onChange: change };
  const choiceFields = (
    <>
      <Typography variant="h2" sx={{ mb: 1 }}>
        {texts.whatToRead}
      </Typography>
      <SourceFields {...rest} fields={choice} />
    </>
  );
  return (
    <Box sx={{ maxWidth: 720 }}>
      <StoredChoice
        connection={draft.connection}
        onChange={(stored) =>
          onChange({
            ...draft,
            connection: stored,
            kind: stored === undefined ? kind : (kindOf(stored) ?? kind),
            options: {},
          })
        }
      />
      {draft.connection === undefined && (
        <>
          <KindChoice kind={kind} onChange={(next) => onChange({ ...draft, kind: next, options: {} })} />
          {kind === 'URL' && choiceFields}
          <Typography variant="h2" sx={{ mb: 0.5 }}>
            {texts.connection}
          </Typography>
          <Typography variant="caption" component="p" sx={{ mb: 1, color: 'text.secondary' }}>
            {texts.secretsHint}
          </Typography>
          <SourceFields {...rest} fields={connection} />
        </>
      )}
      {(kind !== 'URL' || draft.connection !== undefined) && choiceFields}
    </Box>
  );
};
