import type { JobError } from '@redoubt/contract';
import { forbidden, RedoubtError } from '@redoubt/errors';
import type { Member } from '../../platform/auth/actor.ts';
import type { Logger } from '../../platform/log/logger.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { Db } from '../../platform/db/database.ts';
import type { IngestStarter } from '../ingest/index.ts';
import type { WiredJobs } from '../jobs/index.ts';
import type { ReportFailure } from './report-failure.ts';
import type { StoredSchedule } from './schedule-row.repository.ts';
import type { ScheduleRunRepository } from './schedule-run.repository.ts';
import { openRequest } from './sealed-request.ts';

/** Creates the jobs of runs. */
export interface RunStarter {
  /**
   * Starts a run that waits for its job. If it cannot be started, it ends as failed. While too many jobs of its creator
   * wait, it waits too, until its lease ends and a process tries again.
   */
  start(runId: string): Promise<void>;
  /** The end of the lease of a run that this process starts. */
  leaseUntil(now: Date): Date;
}

/** After this time, a process starts a run that still has no job. */
const leaseMilliseconds = 60_000;

/** Whether the same request can succeed later: too many jobs wait. */
const isTemporary = (error: unknown): boolean => error instanceof RedoubtError && error.code === 429;

export const createRunStarter = ({
  runs,
  repositoryOn,
  jobs,
  requireOpen,
  ingest,
  secrets,
  reportFailure,
  logger,
  clock,
}: {
  runs: Pick<ScheduleRunRepository, 'find' | 'lastCompleted' | 'skip' | 'unfinished'>;
  repositoryOn: (trx: Db) => Pick<ScheduleRunRepository, 'tie'>;
  jobs: Pick<WiredJobs, 'findStarter' | 'requireWaitingPlace' | 'retry'>;
  requireOpen: (workspaceUid: string) => Promise<void>;
  ingest: Pick<IngestStarter, 'start'>;
  secrets: Pick<SecretBox, 'open'>;
  reportFailure: ReportFailure;
  logger: Pick<Logger, 'error'>;
} & Pick<Runtime, 'clock'>): RunStarter => {
  const requireCreator = async (schedule: StoredSchedule): Promise<Member> => {
    const { accountId, credential, grantId, workspaceUid } = schedule;
    const row = { account_id: accountId, credential, grant_id: grantId, workspace_uid: workspaceUid };
    const creator = await jobs.findStarter(row, clock.now());
    if (creator !== undefined) return creator;
    throw forbidden(
      'The person who created this schedule is no longer an active member of the workspace, or their API key, their application or its grant is no longer valid. Create a schedule with a valid credential.',
    );
  };

  const toError = (error: unknown, runId: string): JobError => {
    if (error instanceof RedoubtError) {
      const { name, message, code } = error;
      return { name, message, code };
    }
    logger.error({ err: error, runId }, 'could not start a run of a schedule');
    const message = `Something went wrong in the server. Its log has the cause under the id of this run, ${runId}.`;
    return { name: 'InternalServerError', message, code: 500 };
  };

  return {
    leaseUntil: (now) => new Date(now.getTime() + leaseMilliseconds),
    start: async (runId) => {
      const run = await runs.find(runId);
      if (run === undefined) return;
      const { schedule } = run;
      try {
        const creator = await requireCreator(schedule);
        await requireOpen(schedule.workspaceUid);
        await jobs.requireWaitingPlace(creator);
        const tie = (trx: Db, jobId: string): Promise<void> =>
          repositoryOn(trx).tie(runId, jobId, schedule.grantId);
        const unfinished = await runs.unfinished(schedule.id);
        if (unfinished !== undefined) {
          const { id, isOpen } = unfinished;
          const job = { id, type: 'ingest', datasetId: schedule.datasetId } as const;
          // A new job would store again what this one has stored, and it alone knows these rows.
          const isRetried = !isOpen && (await jobs.retry(creator, job, (trx) => tie(trx, id)));
          if (!isRetried) await runs.skip(runId, clock.now());
          return;
        }
        const body = { ...openRequest(secrets, schedule), datasetId: schedule.datasetId };
        await ingest.start(creator, body, true, {
          beside: tie,
          earlierJob: await runs.lastCompleted(schedule.id),
        });
      } catch (error) {
        // Another process has started it, or the schedule was deleted.
        if ((await runs.find(runId)) === undefined || isTemporary(error)) return;
        const shown = toError(error, runId);
        await reportFailure(run, shown, (changes) => changes.fail(runId, shown, clock.now()));
      }
    },
  };
};
