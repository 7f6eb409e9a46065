import type { Schedule } from '@redoubt/contract';
import { ErrorState, PageHeader, TableSkeleton } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { describeError } from '../../api/client.ts';
import { datasetsQuery } from '../../api/datasets-query.ts';
import { DeleteDialog } from '../../parts/DeleteDialog.tsx';
import { Fact, FactList } from '../../parts/Fact.tsx';
import { formatTime } from '../../parts/format-time.ts';
import { LinkButton } from '../../parts/LinkButton.tsx';
import { LoadProblem } from '../../parts/LoadProblem.tsx';
import { describeCron } from '../../parts/schedules/cron-preset.ts';
import { schedulesText as texts } from '../../text/schedules.ts';
import { RunList } from './RunList.tsx';
import { useDeleteSchedule, usePatchSchedule, useRunSchedule, useSchedule } from './schedules.ts';
import { ScheduleState } from './ScheduleState.tsx';

const route = getRouteApi('/schedules/$scheduleId');

/** The source of a schedule in words: the values that its jobs show. */
const sourceText = (source: NonNullable<Schedule['source']>): string =>
  Object.values(source)
    .flat()
    .filter((value) => typeof value === 'string')
    .join(' · ');

/** The page of one schedule: when it runs, and what became of its runs. */
export const SchedulePage = (): ReactElement => {
  const { scheduleId: id } = route.useParams();
  const navigate = useNavigate();
  const { data: schedule, error, refetch } = useSchedule(id);
  const datasets = useQuery(datasetsQuery);
  const patch = usePatchSchedule(id);
  const run = useRunSchedule(id);
  const remove = useDeleteSchedule(id);
  const [isAsking, setIsAsking] = useState(false);
  if (error !== null) {
    return (
      <LoadProblem
        error={error}
        absent={texts.absent}
        absentHint={texts.absentHint}
        failed={texts.oneFailed}
        onRetry={() => void refetch()}
      >
        <LinkButton to="/schedules">{texts.openSchedules}</LinkButton>
      </LoadProblem>
    );
  }
  if (schedule === undefined) return <TableSkeleton label={texts.loadingOne} hasTitle />;
  const problem = patch.error ?? run.error ?? remove.error;
  const dataset = datasets.data?.data.find((one) => one.id === schedule.datasetId);
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <title>{texts.pageTitle}</title>
      <PageHeader
        title={<bdi>{schedule.name}</bdi>}
        facts={texts.inZone(describeCron(schedule.cron), schedule.timeZone)}
        actions={
          <>
            <Button color="error" onClick={() => setIsAsking(true)}>
              {texts.delete}
            </Button>
            <Button loading={patch.isPending} onClick={() => patch.mutate({ isActive: !schedule.isActive })}>
              {schedule.isActive ? texts.pause : texts.resume}
            </Button>
            <Button variant="contained" color="primary" loading={run.isPending} onClick={() => run.mutate()}>
              {texts.runNow}
            </Button>
          </>
        }
      />
      {problem !== null && <ErrorState title={texts.notChanged} {...describeError(problem)} />}
      {schedule.pausedReason !== null && (
        <ErrorState title={texts.stoppedTitle} message={schedule.pausedReason} />
      )}
      <FactList>
        <Fact name={texts.state}>
          <ScheduleState schedule={schedule} />
        </Fact>
        <Fact name={texts.nextRun}>{schedule.nextRunAt === null ? '–' : formatTime(schedule.nextRunAt)}</Fact>
        <Fact name={texts.dataset}>
          {dataset === undefined ? (
            texts.hiddenDataset
          ) : (
            <Link to="/datasets/$id" params={{ id: dataset.id }}>
              <bdi>{dataset.name}</bdi>
            </Link>
          )}
        </Fact>
        <Fact name={texts.mail}>{schedule.mailOnFailure ? texts.mailOn : texts.mailOff}</Fact>
        {schedule.source !== null && (
          <Fact name={texts.source}>
            <bdi>{sourceText(schedule.source)}</bdi>
          </Fact>
        )}
      </FactList>
      {schedule.request === null && (
        <Typography sx={{ mb: 3, color: 'text.secondary' }}>{texts.ofOther}</Typography>
      )}
      <Typography variant="h2" sx={{ mb: 1 }}>
        {texts.runs}
      </Typography>
      <RunList scheduleId={id} />
      {isAsking && (
        <DeleteDialog
          title={texts.deleteTitle(schedule.name)}
          hint={texts.deleteHint}
          texts={texts}
          isPending={remove.isPending}
          onDelete={() =>
            remove.mutate(undefined, {
              onSuccess: () => void navigate({ to: '/schedules' }),
              onError: () => setIsAsking(false),
            })
          }
          onClose={() => setIsAsking(false)}
        />
      )}
    </Box>
  );
};
