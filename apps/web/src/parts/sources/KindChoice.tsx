import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { ingestOptionsQuery } from '../../api/shared-queries.ts';
import { sourcesText as texts } from '../../text/sources.ts';
import { HintedRadio } from '../HintedOption.tsx';
import { sourceKinds, type SourceKind } from './source-kinds.ts';

interface KindChoiceProps {
  kind: SourceKind;
  onChange: (kind: SourceKind) => void;
}

/** The kinds of sources, of which one is chosen. Connectors are a kind only where the server has some. */
export const KindChoice = ({ kind, onChange }: KindChoiceProps): ReactElement => {
  const { data } = useQuery(ingestOptionsQuery);
  const hasConnectors = data !== undefined && data.connectors.length > 0;
  const kinds = sourceKinds.filter((one) => one !== 'OTHER' || hasConnectors);
  return (
    <>
      <Typography variant="h2" id="source-kind" sx={{ mb: 0.5 }}>
        {texts.kind}
      </Typography>
      <RadioGroup
        aria-labelledby="source-kind"
        value={kind}
        onChange={(_event, value) => onChange(sourceKinds.find((one) => one === value) ?? kind)}
        sx={{
          mb: 2,
          display: 'grid',
          gap: 1,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) minmax(0, 1fr)' },
        }}
      >
        {kinds.map((one) => (
          <HintedRadio
            key={one}
            value={one}
            text={texts.kinds[one]}
            hint={texts.kindHints[one]}
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
    </>
  );
};
