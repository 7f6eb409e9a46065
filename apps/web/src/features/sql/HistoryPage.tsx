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
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { describeError } from '../../api/client.ts';
import { LinkButton } from '../../parts/LinkButton.tsx';
import { formatDuration, formatTime } from '../../parts/format-time.ts';
import { useClearHistory, useQueryHistory } from './query-history.ts';
import { sqlText as texts } from '../../text/sql.ts';

const states: Record<QueryRun['status'], string> = {
  completed: 'Completed',
  failed: 'Failed',
  canceled: 'Canceled',
};

const wideOnly = { display: { xs: 'none', sm: 'table-cell' } } as const;

const rowsOf = ({ rows }: QueryRun): string => (rows === null ? '–' : formatNumber(rows));

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
        {run.isCut && <Typography variant="caption">{texts.onlyBeginningKept}</Typography>}
        <Typography
          variant="caption"
          component="p"
          sx={{ display: { sm: 'none' }, color: 'text.secondary', mt: 0.5 }}
        >
          {texts.runFacts(states[run.status], rowsOf(run), formatTime(run.startedAt))}
        </Typography>
      </TableCell>
      <TableCell sx={wideOnly}>{states[run.status]}</TableCell>
      <TableCell align="right" sx={wideOnly}>
        {rowsOf(run)}
      </TableCell>
      <TableCell align="right" sx={wideOnly}>
        {run.milliseconds < 100 ? texts.shortRun : formatDuration(run.milliseconds)}
      </TableCell>
      <TableCell sx={{ ...wideOnly, whiteSpace: 'nowrap' }}>{formatTime(run.startedAt)}</TableCell>
      <TableCell>
        <Button
          size="small"
          disabled={run.isCut}
          title={run.isCut ? texts.beginningKept : undefined}
          onClick={() => void navigate({ to: '/sql', search: { run: run.id } })}
        >
          {texts.open}
        </Button>
      </TableCell>
    </TableRow>
  );
};

/** The statements that the person ran, newest first. */
export const HistoryPage = (): ReactElement => {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useQueryHistory();
  const clear = useClearHistory();
  const [isAsking, setAsking] = useState(false);
  const runs = data?.pages.flatMap((page) => page.data) ?? [];
  const total = data?.pages[0]?.total ?? 0;
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <title>{texts.historyPageTitle}</title>
      <PageHeader
        title={texts.sqlHistory}
        facts={texts.historyFacts(total)}
        actions={
          <>
            {runs.length > 0 && <Button onClick={() => setAsking(true)}>{texts.deleteHistory}</Button>}
            <LinkButton to="/sql" variant="contained" color="primary">
              {texts.openSql}
            </LinkButton>
          </>
        }
      />
      {error !== null && (
        <ErrorState title={texts.historyFailed} {...describeError(error)} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && (
        <TableSkeleton label={texts.loadingHistory} columns={[6, 1, 1, 1, 2, 1]} />
      )}
      {data !== undefined && runs.length === 0 && (
        <EmptyState title={texts.none}>{texts.noneHint}</EmptyState>
      )}
      {runs.length > 0 && (
        <Box sx={{ overflowX: 'auto' }} tabIndex={0} role="region" aria-label={texts.runs}>
          <Table size="small">
            <TableHead>
              <TableRow>
                <TableCell>{texts.sql}</TableCell>
                <TableCell sx={wideOnly}>{texts.state}</TableCell>
                <TableCell align="right" sx={wideOnly}>
                  {texts.rows}
                </TableCell>
                <TableCell align="right" sx={wideOnly}>
                  {texts.duration}
                </TableCell>
                <TableCell sx={wideOnly}>{texts.started}</TableCell>
                <TableCell aria-label={texts.actions} />
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
          {texts.showMore}
        </Button>
      )}
      {isAsking && (
        <Dialog open onClose={() => setAsking(false)}>
          <DialogTitle>{texts.deleteWholeHistory}</DialogTitle>
          <DialogContent>{texts.deleteHistoryHint}</DialogContent>
          <DialogActions>
            <Button onClick={() => setAsking(false)}>{texts.keepHistory}</Button>
            <Button
              color="error"
              disabled={clear.isPending}
              onClick={() => clear.mutate(undefined, { onSuccess: () => setAsking(false) })}
            >
              {texts.deleteHistory}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </Box>
  );
};
