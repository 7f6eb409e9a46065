import type { ScheduleRun } from '@redoubt/contract';
import { ErrorState, tableSx, TableSkeleton } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { describeError } from '../../api/client.ts';
import { formatDuration, formatTime } from '../../parts/format-time.ts';
import { schedulesText as texts } from '../../text/schedules.ts';
import { useScheduleRuns } from './schedules.ts';
import { RunState } from './ScheduleState.tsx';

const wideOnly = { display: { xs: 'none', sm: 'table-cell' } } as const;

const durationText = ({ startedAt, endedAt }: ScheduleRun): string =>
  startedAt === null || endedAt === null
    ? '–'
    : formatDuration(Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)));

/** What became of the runs of a schedule, the newest first. */
export const RunList = ({ scheduleId }: { scheduleId: string }): ReactElement => {
  const { data, error, refetch } = useScheduleRuns(scheduleId);
  if (error !== null)
    return <ErrorState title={texts.runsFailed} {...describeError(error)} onRetry={() => void refetch()} />;
  if (data === undefined) return <TableSkeleton label={texts.runs} />;
  if (data.data.length === 0) return <Typography sx={{ color: 'text.secondary' }}>{texts.noRuns}</Typography>;
  return (
    <Box sx={{ overflowX: 'auto', ...tableSx }} tabIndex={0} role="region" aria-label={texts.runs}>
      <Table size="small" aria-label={texts.runs}>
        <TableHead>
          <TableRow>
            <TableCell>{texts.planned}</TableCell>
            <TableCell>{texts.result}</TableCell>
            <TableCell align="right" sx={wideOnly}>
              {texts.duration}
            </TableCell>
            <TableCell>{texts.job}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {data.data.map((run) => (
            <TableRow key={run.id}>
              <TableCell sx={{ verticalAlign: 'top' }}>
                {formatTime(run.plannedAt)}
                {run.isManual && (
                  <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
                    {texts.manual}
                  </Typography>
                )}
              </TableCell>
              <TableCell sx={{ verticalAlign: 'top' }}>
                <RunState status={run.status} />
                {run.error !== null && (
                  <Typography variant="caption" component="p" sx={{ color: 'error.main', maxWidth: 560 }}>
                    {run.error.message}
                  </Typography>
                )}
                {run.status === 'skipped' && (
                  <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
                    {texts.skipped}
                  </Typography>
                )}
              </TableCell>
              <TableCell align="right" sx={{ ...wideOnly, verticalAlign: 'top' }}>
                {durationText(run)}
              </TableCell>
              <TableCell sx={{ verticalAlign: 'top' }}>
                {run.jobId === null ? (
                  '–'
                ) : (
                  <Link to="/imports/$jobId" params={{ jobId: run.jobId }}>
                    {texts.openJob}
                  </Link>
                )}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
};
