import { TextInput } from '@redoubt/ui';
import type { ReactElement } from 'react';
import { LabelInput } from '../../parts/labels/LabelInput.tsx';
import { connectionsText as texts } from '../../text/connections.ts';
import type { SourceTypeName } from '../../parts/sources/stored-connection.ts';

interface RestrictionFieldsProps {
  type: SourceTypeName;
  allowed: string;
  allowedProblem: string | undefined;
  minimumLabel: string;
  onAllowed: (lines: string) => void;
  onMinimumLabel: (label: string) => void;
}

/** What may be read through a connection, and the label that its records need. */
export const RestrictionFields = ({
  type,
  allowed,
  allowedProblem,
  minimumLabel,
  onAllowed,
  onMinimumLabel,
}: RestrictionFieldsProps): ReactElement => (
  <>
    <TextInput
      label={texts.allowed[type]}
      value={allowed}
      hint={texts.allowedHints[type]}
      problem={allowedProblem}
      multiline
      minRows={2}
      maxRows={8}
      spellCheck={false}
      sx={{ p: 0 }}
      inputProps={{ style: { fontFamily: '"Roboto Mono", monospace', fontSize: 13 } }}
      onChange={(event) => onAllowed(event.target.value)}
    />
    <LabelInput
      label={texts.minimumLabel}
      value={minimumLabel}
      hint={texts.minimumLabelHint}
      onChange={onMinimumLabel}
    />
  </>
);
