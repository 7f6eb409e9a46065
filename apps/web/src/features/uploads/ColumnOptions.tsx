import { type FileOptions, fileColumnTypes } from '@redoubt/contract';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import type { ReactElement } from 'react';
import { uploadsText as texts } from '../../text/uploads.ts';

type FileColumn = NonNullable<FileOptions['columns']>[number];

interface ColumnOptionsProps {
  /** The names of all columns of the file. */
  names: readonly string[];
  /** The columns as they would be stored. */
  found: readonly { name: string; type: string }[];
  columns: readonly FileColumn[];
  onChange: (columns: FileColumn[]) => void;
}

/** The maximum number of columns that can be edited here. The others keep the detected options. */
const maxEdited = 200;

/** The options of columns: whether, under which name and as which type they are stored. */
export const ColumnOptions = ({ names, found, columns, onChange }: ColumnOptionsProps): ReactElement => {
  const change = (name: string, part: Partial<FileColumn>): void => {
    const present = columns.find((one) => one.name === name) ?? { name };
    const { type, rename, skip } = { ...present, ...part };
    const next: FileColumn = {
      name,
      ...(type !== undefined && { type }),
      ...(rename !== undefined && rename !== '' && { rename }),
      ...(skip === true && { skip }),
    };
    const others = columns.filter((one) => one.name !== name);
    onChange(Object.keys(next).length === 1 ? others : [...others, next]);
  };
  return (
    <Box component="details" sx={{ mb: 2 }}>
      <Box component="summary" sx={{ cursor: 'pointer', py: 0.5, fontWeight: 500 }}>
        {texts.columnsAndTypes}
      </Box>
      <Box
        sx={{ maxHeight: 320, overflow: 'auto' }}
        tabIndex={0}
        role="group"
        aria-label={texts.columnsAndTypes}
      >
        {names.slice(0, maxEdited).map((name) => {
          const own = columns.find((one) => one.name === name);
          const isStored = own?.skip !== true;
          const type = found.find((one) => one.name === (own?.rename ?? name))?.type ?? '';
          return (
            <Box
              key={name}
              sx={{
                display: 'grid',
                gridTemplateColumns: '32px minmax(0, 1fr) 120px',
                gap: 0.5,
                alignItems: 'center',
                py: 0.25,
              }}
            >
              <Checkbox
                size="small"
                checked={isStored}
                onChange={() => change(name, { skip: isStored })}
                slotProps={{ input: { 'aria-label': texts.store(name) } }}
              />
              <OutlinedInput
                value={own?.rename ?? name}
                disabled={!isStored}
                inputProps={{ 'aria-label': texts.nameOf(name) }}
                onChange={(event) =>
                  change(name, { rename: event.target.value === name ? '' : event.target.value })
                }
              />
              <NativeSelect
                value={own?.type ?? ''}
                disabled={!isStored}
                input={<OutlinedInput />}
                inputProps={{ 'aria-label': texts.typeOf(name) }}
                onChange={(event) => {
                  const chosen = fileColumnTypes.find((one) => one === event.target.value);
                  const { type: _type, ...rest } = own ?? { name };
                  if (chosen !== undefined) change(name, { type: chosen });
                  else onChange([...columns.filter((one) => one.name !== name), rest]);
                }}
              >
                <option value="">{type === '' ? texts.asFound : texts.found(type)}</option>
                {fileColumnTypes.map((one) => (
                  <option key={one} value={one}>
                    {one}
                  </option>
                ))}
              </NativeSelect>
            </Box>
          );
        })}
      </Box>
    </Box>
  );
};
