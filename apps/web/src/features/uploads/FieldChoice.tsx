import { TextInput } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState, type ReactElement } from 'react';
import { uploadsText as texts } from '../../text/uploads.ts';
import { ColumnChecks } from './ColumnChecks.tsx';
import type { KnownFields } from './known-fields.ts';

interface FieldChoiceProps {
  fields: KnownFields;
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

/** The fields that are known, of which some are chosen. Where records can have others, their names can be typed. */
export const FieldChoice = ({ fields, chosen, onChange }: FieldChoiceProps): ReactElement => {
  const [typed, setTyped] = useState('');
  /** Names that were typed stay in the list when they are no longer chosen. */
  const [added, setAdded] = useState(chosen);
  const name = typed.trim();
  const add = (): void => {
    if (name === '') return;
    setAdded([...added, name]);
    if (!chosen.includes(name)) onChange([...chosen, name]);
    setTyped('');
  };
  return (
    <>
      <Box sx={{ maxHeight: 200, overflow: 'auto' }}>
        <ColumnChecks
          columns={[...new Set([...fields.names, ...added, ...chosen])]}
          chosen={chosen}
          onChange={onChange}
        />
      </Box>
      {!fields.isComplete && (
        <Box sx={{ display: 'flex', gap: 1, alignItems: 'end', mt: 1 }}>
          <Box sx={{ flex: 1, minWidth: 0 }}>
            <TextInput
              label={texts.otherField}
              value={typed}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setTyped(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                // The name is added, and the form is not sent.
                event.preventDefault();
                add();
              }}
            />
          </Box>
          <Button disabled={name === ''} onClick={add} sx={{ mb: 2 }}>
            {texts.addField}
          </Button>
        </Box>
      )}
    </>
  );
};
