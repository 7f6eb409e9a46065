import { tableSx } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { ReactElement, ReactNode } from 'react';

interface DataTableProps {
  label: string;
  /** The prefix `#` aligns a column to the right, and `~` hides it on narrow screens. */
  headings: readonly string[];
  /** The width from which all columns are shown. */
  shownFrom?: 'md' | 'sm';
  /** Whether each row is a list of its values on a phone, so that no column is hidden or scrolled to. */
  isStacked?: boolean;
  rows: readonly DataRow[];
}

interface DataRow {
  key: string;
  cells: readonly ReactNode[];
}

const nameOf = (heading: string): string => heading.replace(/[#~]/, '');

/** The rows of a table on a phone: the first value of each, and below it the others with their names. */
const StackedRows = ({ label, headings, rows }: Pick<DataTableProps, 'headings' | 'label' | 'rows'>) => (
  <Box
    component="ul"
    aria-label={label}
    sx={{ m: 0, p: 0, listStyle: 'none', borderTop: 1, borderColor: 'divider' }}
  >
    {rows.map(({ key, cells: [first, ...others] }) => (
      <Box component="li" key={key} sx={{ py: 1, borderBottom: 1, borderColor: 'divider' }}>
        <Box sx={{ overflowWrap: 'anywhere' }}>{first}</Box>
        <Box
          component="dl"
          sx={{ m: 0, mt: 0.5, display: 'grid', gridTemplateColumns: 'auto minmax(0, 1fr)', columnGap: 2 }}
        >
          {headings.slice(1).map((heading, at) => (
            <Box key={heading} sx={{ display: 'contents' }}>
              <Box component="dt" sx={{ color: 'text.secondary', fontSize: 13 }}>
                {nameOf(heading)}
              </Box>
              <Box
                component="dd"
                sx={{ m: 0, overflowWrap: 'anywhere', textAlign: heading.startsWith('#') ? 'right' : 'left' }}
              >
                {others[at]}
              </Box>
            </Box>
          ))}
        </Box>
      </Box>
    ))}
  </Box>
);

/** A short table of objects of the workspace. */
export const DataTable = ({
  label,
  headings,
  shownFrom = 'sm',
  isStacked = false,
  rows,
}: DataTableProps): ReactElement => {
  const isPhone = useMediaQuery('(max-width: 599px)');
  if (isStacked && isPhone) return <StackedRows label={label} headings={headings} rows={rows} />;
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
                {nameOf(heading)}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map(({ key, cells }) => (
            <TableRow key={key} hover>
              {cells.map((cell, at) => (
                <TableCell
                  key={headings[at]}
                  align={alignment[at]}
                  sx={{ display: display[at], verticalAlign: 'top', overflowWrap: 'anywhere' }}
                >
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
