import { EmptyState, ErrorState, TextInput, formatNumber } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { Link } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { LinkButton } from '../../parts/LinkButton.tsx';
import { describeError } from '../../api/client.ts';
import { useDatasets } from './datasets.ts';
import { NewDatasetDialog } from './NewDatasetDialog.tsx';

/** All datasets that the person may know of, with the number of records that they see. */
export const DatasetsPage = (): ReactElement => {
  const { data, error, refetch } = useDatasets();
  const [filter, setFilter] = useState('');
  const [isCreating, setIsCreating] = useState(false);
  const all = data?.data ?? [];
  const wanted = filter.trim().toLowerCase();
  const shown = all.filter(({ name, description }) =>
    `${name} ${description}`.toLowerCase().includes(wanted),
  );
  const newDataset = <Button onClick={() => setIsCreating(true)}>New dataset</Button>;
  const importFiles = (
    <LinkButton to="/datasets/new" variant="contained" color="primary">
      Import files
    </LinkButton>
  );
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <title>Datasets · Redoubt</title>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, mb: 2 }}>
        <Box sx={{ flex: 1 }}>
          <Typography variant="h1">Datasets</Typography>
          <Typography variant="caption" component="p" sx={{ color: 'text.secondary', minHeight: 16 }}>
            {data !== undefined &&
              `${formatNumber(all.length)} that you may use. Counts are of records that you see.`}
          </Typography>
        </Box>
        {all.length > 0 && (
          <Box sx={{ display: 'flex', gap: 1 }}>
            {newDataset}
            {importFiles}
          </Box>
        )}
      </Box>
      {error !== null && (
        <ErrorState
          title="Your datasets could not be loaded"
          {...describeError(error)}
          onRetry={() => void refetch()}
        />
      )}
      {data === undefined && error === null && <Skeleton variant="rectangular" height={240} />}
      {data !== undefined && all.length === 0 && (
        <EmptyState
          title="No datasets yet"
          action={
            <Box sx={{ display: 'flex', gap: 1, justifyContent: 'center' }}>
              {newDataset}
              {importFiles}
            </Box>
          }
        >
          A dataset holds records. Import files, create an empty one, or ask somebody to grant you theirs.
        </EmptyState>
      )}
      {all.length > 0 && (
        <>
          <Box sx={{ maxWidth: 320 }}>
            <TextInput label="Filter" value={filter} onChange={(event) => setFilter(event.target.value)} />
          </Box>
          <Box sx={{ overflowX: 'auto' }}>
            <Table size="small" aria-label="Datasets">
              <TableHead>
                <TableRow>
                  <TableCell>Name</TableCell>
                  <TableCell align="right">Records</TableCell>
                  <TableCell align="right">Fields</TableCell>
                  <TableCell>You may</TableCell>
                </TableRow>
              </TableHead>
              <TableBody>
                {shown.map(({ id, name, description, recordCount, schema, currentUserPermissions: may }) => (
                  <TableRow key={id} hover>
                    <TableCell>
                      <Link to="/datasets/$id" params={{ id }}>
                        <bdi>{name}</bdi>
                      </Link>
                      {description !== '' && (
                        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
                          <bdi>{description}</bdi>
                        </Typography>
                      )}
                    </TableCell>
                    <TableCell align="right">{formatNumber(recordCount)}</TableCell>
                    <TableCell align="right">{formatNumber(Object.keys(schema).length)}</TableCell>
                    <TableCell>
                      {Object.entries(may)
                        .filter(([, isAllowed]) => isAllowed)
                        .map(([action]) => action)
                        .join(', ')}
                    </TableCell>
                  </TableRow>
                ))}
              </TableBody>
            </Table>
          </Box>
          {shown.length === 0 && (
            <EmptyState
              title="No dataset matches"
              action={<Button onClick={() => setFilter('')}>Clear the filter</Button>}
            />
          )}
        </>
      )}
      {isCreating && <NewDatasetDialog onClose={() => setIsCreating(false)} />}
    </Box>
  );
};
