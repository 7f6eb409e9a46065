import type { Dataset, User } from '@redoubt/contract';
import { formatNumber } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { usersQuery } from '../../api/shared-queries.ts';
import { datasetsText as texts } from '../../text/datasets.ts';

const rights = ['manage', 'write', 'read'] as const;
const wideOnly = { display: { xs: 'none', md: 'table-cell' } } as const;
const { columns } = texts;

/** The highest right of the person. Each right includes the rights after it in `rights`. */
const rightOf = ({ currentUserPermissions: may }: Dataset): (typeof rights)[number] | 'none' =>
  rights.find((right) => may[right]) ?? 'none';

/** The table of datasets. */
export const DatasetTable = ({ datasets }: { datasets: readonly Dataset[] }): ReactElement => {
  const people = useQuery(usersQuery);
  const names = new Map(
    (people.data?.data ?? []).map(({ id, firstName, lastName }: User) => [id, `${firstName} ${lastName}`]),
  );
  return (
    <Table size="small" aria-label={texts.title} sx={{ tableLayout: 'fixed' }}>
      <TableHead>
        <TableRow>
          <TableCell>{columns.name}</TableCell>
          <TableCell align="right" sx={{ width: { xs: 88, md: 120 } }}>
            {columns.records}
          </TableCell>
          <TableCell align="right" sx={{ ...wideOnly, width: 96 }}>
            {columns.fields}
          </TableCell>
          <TableCell sx={{ ...wideOnly, width: 200 }}>{columns.creator}</TableCell>
          <TableCell sx={{ width: { xs: 88, md: 120 } }}>{columns.rights}</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {datasets.map((dataset) => (
          <TableRow key={dataset.id} hover>
            <TableCell>
              <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: 1.5 }}>
                <Link to="/datasets/$id" params={{ id: dataset.id }}>
                  <bdi>{dataset.name}</bdi>
                </Link>
                {dataset.description !== '' && (
                  <Typography variant="caption" sx={{ color: 'text.secondary' }}>
                    <bdi>{dataset.description}</bdi>
                  </Typography>
                )}
              </Box>
            </TableCell>
            <TableCell align="right">{formatNumber(dataset.recordCount)}</TableCell>
            <TableCell align="right" sx={wideOnly}>
              {formatNumber(Object.keys(dataset.schema).length)}
            </TableCell>
            <TableCell
              sx={{ ...wideOnly, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
            >
              <bdi>{names.get(dataset.userId) ?? '–'}</bdi>
            </TableCell>
            <TableCell>{texts.rights[rightOf(dataset)]}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
};
