import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useState, type ReactElement } from 'react';
import type { SqlSchema } from './editor/complete-sql.ts';
import { sqlText as texts } from '../../text/sql.ts';

interface SchemaTreeProps {
  schema: SqlSchema;
  /** Inserts a name into the text of the editor. */
  onInsert: (name: string) => void;
  /** Opens a tab with a query that reads the dataset. */
  onOpen: (dataset: string) => void;
}

const maxColumns = 200;

/** The tree of datasets that the person can query, with their columns. */
export const SchemaTree = ({ schema, onInsert, onOpen }: SchemaTreeProps): ReactElement => {
  const [filter, setFilter] = useState('');
  const wanted = filter.trim().toLowerCase();
  const shown = [...schema].filter(
    ([name, columns]) =>
      name.toLowerCase().includes(wanted) ||
      Object.keys(columns).some((column) => column.toLowerCase().includes(wanted)),
  );
  return (
    <>
      <OutlinedInput
        value={filter}
        onChange={(event) => setFilter(event.target.value)}
        placeholder={texts.filterSchema}
        inputProps={{ 'aria-label': texts.filterSchema }}
        fullWidth
        sx={{ mb: 1, fontSize: 13 }}
      />
      {shown.length === 0 && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {schema.size === 0 ? texts.noDataset : texts.nothingMatches}
        </Typography>
      )}
      {shown.map(([name, columns]) => (
        <Box key={name} component="details" sx={{ fontSize: 13, lineHeight: '28px' }}>
          <Box
            component="summary"
            sx={{ cursor: 'pointer', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
          >
            <bdi>{name}</bdi>
          </Box>
          <Box sx={{ pl: 2 }}>
            <Button size="small" variant="text" onClick={() => onOpen(name)}>
              {texts.queryThisDataset}
            </Button>
            {Object.entries(columns)
              .slice(0, maxColumns)
              .map(([column, { type }]) => (
                <Box key={column} sx={{ display: 'flex', gap: 1 }}>
                  <Box
                    component="button"
                    type="button"
                    title={texts.insertColumn(column)}
                    onClick={() => onInsert(column)}
                    sx={{
                      all: 'unset',
                      cursor: 'pointer',
                      overflow: 'hidden',
                      textOverflow: 'ellipsis',
                      whiteSpace: 'nowrap',
                      '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main' },
                    }}
                  >
                    <bdi>{column}</bdi>
                  </Box>
                  <Box component="span" sx={{ color: 'text.tertiary', whiteSpace: 'nowrap' }}>
                    {type}
                  </Box>
                </Box>
              ))}
          </Box>
        </Box>
      ))}
    </>
  );
};
