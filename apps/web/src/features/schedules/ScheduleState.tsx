import type { Schedule, ScheduleRun } from '@redoubt/contract';
import { StateChip, type ChipTone } from '@redoubt/ui';
import { Ban, Check, CirclePause, CircleDashed, Loader, SkipForward, TriangleAlert } from '@redoubt/ui/icons';
import type { ReactElement } from 'react';
import { schedulesText as texts } from '../../text/schedules.ts';

const icon = { size: 12, strokeWidth: 2, 'aria-hidden': true } as const;

/** Whether a schedule starts runs by itself. */
export const ScheduleState = ({
  schedule: { isActive, pausedReason },
}: {
  schedule: Pick<Schedule, 'isActive' | 'pausedReason'>;
}): ReactElement => {
  if (isActive) {
    return (
      <StateChip tone="success" icon={<Check {...icon} />}>
        {texts.active}
      </StateChip>
    );
  }
  return pausedReason === null ? (
    <StateChip tone="neutral" icon={<CirclePause {...icon} />}>
      {texts.paused}
    </StateChip>
  ) : (
    <StateChip tone="error" icon={<TriangleAlert {...icon} />}>
      {texts.stopped}
    </StateChip>
  );
};

const looks: Record<ScheduleRun['status'], readonly [tone: ChipTone, icon: ReactElement]> = {
  starting: ['neutral', <CircleDashed key="icon" {...icon} />],
  queued: ['neutral', <CircleDashed key="icon" {...icon} />],
  running: ['info', <Loader key="icon" {...icon} />],
  completed: ['success', <Check key="icon" {...icon} />],
  canceled: ['neutral', <Ban key="icon" {...icon} />],
  failed: ['error', <TriangleAlert key="icon" {...icon} />],
  skipped: ['warning', <SkipForward key="icon" {...icon} />],
};

export const RunState = ({ status }: Pick<ScheduleRun, 'status'>): ReactElement => {
  const [tone, shown] = looks[status];
  return (
    <StateChip tone={tone} icon={shown}>
      {texts.statuses[status]}
    </StateChip>
  );
};
