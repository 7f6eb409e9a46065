import type { Dataset } from '@redoubt/contract';
import { EmptyState } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { ReactElement } from 'react';

/** The fields of the records that the person sees, with their types. */
export const FieldsTab = ({ dataset }: { dataset: Dataset }): ReactElement => {
  const fields = Object.entries(dataset.schema);
  if (fields.length === 0) {
    return (
      <EmptyState title="No fields yet">Redoubt learns the fields from the records that you see.</EmptyState>
    );
  }
  return (
    <Box sx={{ px: { xs: 1, md: 2 }, maxWidth: 720 }}>
      <Table size="small" aria-label="Fields">
        <TableHead>
          <TableRow>
            <TableCell>Field</TableCell>
            <TableCell>Type</TableCell>
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
