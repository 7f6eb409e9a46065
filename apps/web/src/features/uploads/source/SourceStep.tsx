import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import type { ReactElement } from 'react';
import { fieldsOf, type SourceProblems } from '../../../parts/sources/connection-info.ts';
import { SourceFields } from '../../../parts/sources/SourceFields.tsx';
import { sourceKinds } from '../../../parts/sources/source-kinds.ts';
import { sourcesText as texts } from '../../../text/sources.ts';
import type { SourceImport } from './source-import.ts';

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
      <Typography variant="h2" id="source-kind" sx={{ mb: 0.5 }}>
        {texts.kind}
      </Typography>
      <RadioGroup
        aria-labelledby="source-kind"
        value={kind}
        onChange={(_event, value) =>
          onChange({ ...draft, kind: sourceKinds.find((one) => one === value) ?? kind, options: {} })
        }
        sx={{
          mb: 2,
          display: 'grid',
          gap: 1,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) minmax(0, 1fr)' },
        }}
      >
        {sourceKinds.map((one) => (
          <FormControlLabel
            key={one}
            value={one}
            control={<Radio size="small" sx={{ alignSelf: 'flex-start', py: 0.25 }} />}
            label={
              <>
                {texts.kinds[one]}
                <Typography
                  variant="caption"
                  component="span"
                  sx={{ display: 'block', color: 'text.secondary' }}
                >
                  {texts.kindHints[one]}
                </Typography>
              </>
            }
            sx={{
              m: 0,
              alignItems: 'flex-start',
              p: 1,
              border: 1,
              borderRadius: 1,
              borderColor: one === kind ? 'primary.main' : 'divider',
              backgroundColor: one === kind ? 'background.selected' : 'background.paper',
            }}
          />
        ))}
      </RadioGroup>
      {kind === 'URL' && choiceFields}
      <Typography variant="h2" sx={{ mb: 0.5 }}>
        {texts.connection}
      </Typography>
      <Typography variant="caption" component="p" sx={{ mb: 1, color: 'text.secondary' }}>
        {texts.secretsHint}
      </Typography>
      <SourceFields {...rest} fields={connection} />
      {kind !== 'URL' && choiceFields}
    </Box>
  );
};
