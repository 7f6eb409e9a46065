import type { QueryRun } from '@redoubt/contract';
import { EmptyState, ErrorState, formatNumber, PageHeader, TableSkeleton } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { describeError } from '../../api/client.ts';
import { LinkButton } from '../../parts/LinkButton.tsx';
import { formatDuration, formatTime } from '../../parts/format-time.ts';
import { useClearHistory, useQueryHistory } from './query-history.ts';

const states: Record<QueryRun['status'], string> = {
  completed: 'Completed',
  failed: 'Failed',
  canceled: 'Canceled',
};

const Run = ({ run }: { run: QueryRun }): ReactElement => {
  const navigate = useNavigate();
  return (
    <TableRow hover>
      <TableCell sx={{ maxWidth: 480 }}>
        <Box
          component="code"
          sx={{ display: 'block', maxHeight: 60, overflow: 'hidden', whiteSpace: 'pre-wrap' }}
        >
          <bdi>{run.text}</bdi>
        </Box>
        {run.isCut && <Typography variant="caption">Only the beginning is kept.</Typography>}
      </TableCell>
      <TableCell>{states[run.status]}</TableCell>
      <TableCell align="right">{run.rows === null ? '–' : formatNumber(run.rows)}</TableCell>
      <TableCell align="right">
        {run.milliseconds < 100 ? 'under 0.1 s' : formatDuration(run.milliseconds)}
      </TableCell>
      <TableCell sx={{ whiteSpace: 'nowrap' }}>{formatTime(run.startedAt)}</TableCell>
      <TableCell>
        <Button
          size="small"
          disabled={run.isCut}
          title={run.isCut ? 'Only the beginning of the text is kept' : undefined}
          onClick={() => void navigate({ to: '/sql', search: { run: run.id } })}
        >
          Open
        </Button>
      </TableCell>
    </TableRow>
  );
};

/** What the person ran, newest first. */
export const HistoryPage = (): ReactElement => {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useQueryHistory();
  const clear = useClearHistory();
  const [isAsking, setAsking] = useState(false);
  const runs = data?.pages.flatMap((page) => page.data) ?? [];
  const total = data?.pages[0]?.total ?? 0;
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <title>History · SQL · Redoubt</title>
      <PageHeader
        title="SQL history"
        facts={`${total > 0 ? `${formatNumber(total)} runs. ` : ''}Your last 1,000 runs of the last 30 days. Only you see them.`}
        actions={
          <>
            {runs.length > 0 && <Button onClick={() => setAsking(true)}>Delete the history</Button>}
            <LinkButton to="/sql" variant="contained" color="primary">
              Open SQL
            </LinkButton>
          </>
        }
      />
      {error !== null && (
        <ErrorState
          title="Your history could not be loaded"
          {...describeError(error)}
          onRetry={() => void refetch()}
        />
      )}
      {data === undefined && error === null && (
        <TableSkeleton label="Loading your history" columns={[6, 1, 1, 1, 2, 1]} />
      )}
      {data !== undefined && runs.length === 0 && (
        <EmptyState title="You have run nothing yet">
          What you run in the <Link to="/sql">SQL workbench</Link> appears here.
        </EmptyState>
      )}
      {runs.length > 0 && (
        <Box sx={{ overflowX: 'auto' }} tabIndex={0} role="region" aria-label="Runs">
          <Table size="small">
            <TableHead>
              <TableRow>
                <TableCell>SQL</TableCell>
                <TableCell>State</TableCell>
                <TableCell align="right">Rows</TableCell>
                <TableCell align="right">Duration</TableCell>
                <TableCell>Started</TableCell>
                <TableCell aria-label="Actions" />
              </TableRow>
            </TableHead>
            <TableBody>
              {runs.map((run) => (
                <Run key={run.id} run={run} />
              ))}
            </TableBody>
          </Table>
        </Box>
      )}
      {hasNextPage && (
        <Button sx={{ mt: 2 }} disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
      {isAsking && (
        <Dialog open onClose={() => setAsking(false)}>
          <DialogTitle>Delete your whole history?</DialogTitle>
          <DialogContent>Saved queries and drafts stay.</DialogContent>
          <DialogActions>
            <Button onClick={() => setAsking(false)}>Keep it</Button>
            <Button
              color="error"
              disabled={clear.isPending}
              onClick={() => clear.mutate(undefined, { onSuccess: () => setAsking(false) })}
            >
              Delete the history
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </Box>
  );
};
