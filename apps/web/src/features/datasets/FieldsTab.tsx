import type { Dataset } from '@redoubt/contract';
import { EmptyState } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { ReactElement } from 'react';
import { datasetsText } from '../../text/datasets.ts';

const texts = datasetsText.fields;

/** The fields of the records that are visible to the person, with their types. */
export const FieldsTab = ({ dataset }: { dataset: Dataset }): ReactElement => {
  const fields = Object.entries(dataset.schema);
  if (fields.length === 0) {
    return <EmptyState title={texts.none}>{texts.noneHint}</EmptyState>;
  }
  return (
    <Box sx={{ p: { xs: 2, md: 3 }, maxWidth: 720 }}>
      <Table size="small" aria-label={texts.label}>
        <TableHead>
          <TableRow>
            <TableCell>{texts.field}</TableCell>
            <TableCell>{texts.type}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {fields.map(([name, { type }]) => (
            <TableRow key={name} hover>
              <TableCell>
                <bdi>{name}</bdi>
              </TableCell>
              <TableCell sx={{ color: 'text.secondary' }}>{type}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
};
