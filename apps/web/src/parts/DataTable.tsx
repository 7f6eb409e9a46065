import { tableSx } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { ReactElement, ReactNode } from 'react';

interface DataTableProps {
  label: string;
  /** The prefix `#` aligns a column to the right, and `~` hides it on narrow screens. */
  headings: readonly string[];
  /** The width from which all columns are shown. */
  shownFrom?: 'md' | 'sm';
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}

/** A short table of objects of the workspace. */
export const DataTable = ({ label, headings, shownFrom = 'sm', rows }: DataTableProps): ReactElement => {
  const alignment = headings.map((heading) => (heading.startsWith('#') ? 'right' : 'left'));
  const display = headings.map((heading) =>
    heading.startsWith('~') ? { xs: 'none', [shownFrom]: 'table-cell' } : 'table-cell',
  );
  return (
    <Box sx={{ overflowX: 'auto', ...tableSx }} tabIndex={0} role="region" aria-label={label}>
      <Table size="small" aria-label={label}>
        <TableHead>
          <TableRow>
            {headings.map((heading, at) => (
              <TableCell key={heading} align={alignment[at]} sx={{ display: display[at] }}>
                {heading.replace(/[#~]/, '')}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map(({ key, cells }) => (
            <TableRow key={key} hover>
              {cells.map((cell, at) => (
                <TableCell key={headings[at]} align={alignment[at]} sx={{ display: display[at] }}>
                  {cell}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
};
