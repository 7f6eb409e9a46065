import type { Logger } from '../../platform/log/logger.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { nextRun } from './cron.ts';
import type { ReportFailure } from './report-failure.ts';
import type { RunStarter } from './run-starter.ts';
import type { EndedRun, ScheduleRunRepository } from './schedule-run.repository.ts';

/** Starts runs when they are due. Several processes on the same database share the work. */
export interface ScheduleClock {
  /** Starts all due runs, and notes the end of runs. */
  check(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

const pollMilliseconds = 5000;

export const createScheduleClock = ({
  runs,
  starter,
  reportFailure,
  logger,
  runtime: { clock, ids },
}: {
  runs: ScheduleRunRepository;
  starter: RunStarter;
  reportFailure: ReportFailure;
  logger: Pick<Logger, 'error'>;
  runtime: Pick<Runtime, 'clock' | 'ids'>;
}): ScheduleClock => {
  const state: { isStopping: boolean; running?: Promise<void>; timer?: NodeJS.Timeout } = {
    isStopping: false,
  };

  const startDue = async (): Promise<void> => {
    while (!state.isStopping) {
      const now = clock.now();
      const id = ids.uuid();
      const leaseUntil = starter.leaseUntil(now);
      if (!(await runs.addDue({ id, now, leaseUntil }, (schedule) => nextRun(schedule, now)))) return;
      await starter.start(id);
    }
  };

  const startLeft = async (): Promise<void> => {
    while (!state.isStopping) {
      const now = clock.now();
      const left = await runs.claimLeft(now, starter.leaseUntil(now));
      if (left === undefined) return;
      await starter.start(left.id);
    }
  };

  const noteEnd = async (run: EndedRun): Promise<void> => {
    if (run.status === 'failed') {
      const { error, errorName } = run;
      const shown = { name: errorName, message: error ?? '', code: null };
      await reportFailure(run, shown, (changes) => changes.end(run.id, run.status, shown));
      return;
    }
    if (!(await runs.end(run.id, run.status)) || run.status === 'canceled') return;
    await runs.setFailing(run.schedule.id, false);
  };

  const check = async (): Promise<void> => {
    if (!(await runs.hasWork(clock.now()))) return;
    for (const run of await runs.ended()) await noteEnd(run);
    await startLeft();
    await startDue();
  };

  const poll = (): void => {
    state.running ??= check()
      .catch((error: unknown) => logger.error({ err: error }, 'could not check the schedules'))
      .finally(() => {
        delete state.running;
      });
  };

  return {
    check,
    start: () => {
      state.timer = setInterval(poll, pollMilliseconds).unref();
      poll();
    },
    stop: async () => {
      state.isStopping = true;
      clearInterval(state.timer);
      await state.running;
    },
  };
};
