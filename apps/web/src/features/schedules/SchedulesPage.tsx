import { EmptyState, ErrorState, PageHeader, TableSkeleton } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactElement } from 'react';
import { describeError } from '../../api/client.ts';
import { datasetsQuery } from '../../api/datasets-query.ts';
import { DataTable } from '../../parts/DataTable.tsx';
import { formatTime } from '../../parts/format-time.ts';
import { LinkButton } from '../../parts/LinkButton.tsx';
import { describeCron } from '../../parts/schedules/cron-preset.ts';
import { schedulesText as texts } from '../../text/schedules.ts';
import { useSchedules } from './schedules.ts';
import { ScheduleState } from './ScheduleState.tsx';

/** The schedules that are visible to the person. */
export const SchedulesPage = (): ReactElement => {
  const { data, error, refetch } = useSchedules();
  const datasets = useQuery(datasetsQuery);
  const names = new Map((datasets.data?.data ?? []).map(({ id, name }) => [id, name]));
  const schedules = data?.data ?? [];
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <title>{texts.pageTitle}</title>
      <PageHeader title={texts.schedules} facts={schedules.length > 0 && texts.facts(schedules.length)} />
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
        <DataTable
          label={texts.schedules}
          shownFrom="md"
          headings={[texts.name, `~${texts.dataset}`, `~${texts.when}`, texts.state, `~${texts.nextRun}`]}
          rows={schedules.map((schedule) => {
            const words = texts.inZone(describeCron(schedule.cron), schedule.timeZone);
            return {
              key: schedule.id,
              cells: [
                <Fragment key="name">
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
                </Fragment>,
                <bdi key="dataset">{names.get(schedule.datasetId) ?? texts.hiddenDataset}</bdi>,
                words,
                <ScheduleState key="state" schedule={schedule} />,
                <Box key="next" component="span" sx={{ whiteSpace: 'nowrap' }}>
                  {schedule.nextRunAt === null ? '–' : formatTime(schedule.nextRunAt)}
                </Box>,
              ],
            };
          })}
        />
      )}
    </Box>
  );
};
