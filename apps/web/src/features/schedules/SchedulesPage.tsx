import { EmptyState, ErrorState, PageHeader, tableSx, TableSkeleton } from '@redoubt/ui';
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
import { describeError } from '../../api/client.ts';
import { datasetsQuery } from '../../api/datasets-query.ts';
import { formatTime } from '../../parts/format-time.ts';
import { LinkButton } from '../../parts/LinkButton.tsx';
import { describeCron } from '../../parts/schedules/cron-preset.ts';
import { schedulesText as texts } from '../../text/schedules.ts';
import { useSchedules } from './schedules.ts';
import { ScheduleState } from './ScheduleState.tsx';

const wideOnly = { display: { xs: 'none', md: 'table-cell' } } as const;

/** The schedules that are visible to the person. */
export const SchedulesPage = (): ReactElement => {
  const { data, error, refetch } = useSchedules();
  const datasets = useQuery(datasetsQuery);
  const names = new Map((datasets.data?.data ?? []).map(({ id, name }) => [id, name]));
  const schedules = data?.data ?? [];
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <title>{texts.pageTitle}</title>
      <PageHeader title={texts.schedules} facts={data !== undefined && texts.facts(schedules.length)} />
      {error !== null && (
        <ErrorState title={texts.failed} {...describeError(error)} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <TableSkeleton label={texts.loading} />}
      {data !== undefined && schedules.length === 0 && (
        <EmptyState title={texts.none} action={<LinkButton to="/datasets">{texts.openDatasets}</LinkButton>}>
          {texts.noneHint}
        </EmptyState>
      )}
      {schedules.length > 0 && (
        <Box sx={{ overflowX: 'auto', ...tableSx }} tabIndex={0} role="region" aria-label={texts.schedules}>
          <Table size="small" aria-label={texts.schedules}>
            <TableHead>
              <TableRow>
                <TableCell>{texts.name}</TableCell>
                <TableCell sx={wideOnly}>{texts.dataset}</TableCell>
                <TableCell sx={wideOnly}>{texts.when}</TableCell>
                <TableCell>{texts.state}</TableCell>
                <TableCell sx={wideOnly}>{texts.nextRun}</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {schedules.map((schedule) => {
                const words = texts.inZone(describeCron(schedule.cron), schedule.timeZone);
                return (
                  <TableRow key={schedule.id} hover>
                    <TableCell>
                      <Link to="/schedules/$scheduleId" params={{ scheduleId: schedule.id }}>
                        <bdi>{schedule.name}</bdi>
                      </Link>
                      <Typography
                        variant="caption"
                        component="p"
                        sx={{ display: { md: 'none' }, color: 'text.secondary' }}
                      >
                        {words}
                      </Typography>
                    </TableCell>
                    <TableCell sx={wideOnly}>
                      <bdi>{names.get(schedule.datasetId) ?? texts.hiddenDataset}</bdi>
                    </TableCell>
                    <TableCell sx={wideOnly}>{words}</TableCell>
                    <TableCell>
                      <ScheduleState schedule={schedule} />
                    </TableCell>
                    <TableCell sx={{ ...wideOnly, whiteSpace: 'nowrap' }}>
                      {schedule.nextRunAt === null ? '–' : formatTime(schedule.nextRunAt)}
                    </TableCell>
                  </TableRow>
                );
              })}
            </TableBody>
          </Table>
        </Box>
      )}
    </Box>
  );
};
