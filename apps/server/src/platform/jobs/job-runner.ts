import type { JobError, JobType } from '@redoubt/contract';
import { forbidden, RedoubtError } from '@redoubt/errors';
import type { Member } from '../auth/actor.ts';
import type { Logger } from '../log/logger.ts';
import type { Runtime } from '../runtime.ts';
import type { Subscriptions } from '../subscriptions/index.ts';
import type { JobRow } from '../db/schema.ts';
import { changeIdOfJob, toJobError, type JobKind, type RunningJob } from './job.ts';
import type { Claim, JobQueueRepository } from './job-queue.repository.ts';

/** Runs jobs in this process. Several processes on the same database share the queue. */
export interface JobRunner {
  /** Registers a type of job. Call it before `start`. */
  add(kind: JobKind): void;
  stagesOf(type: JobType): number;
  /** Resumes the jobs of dead processes, and claims jobs from then on. */
  start(): Promise<void>;
  /** Claims jobs now instead of at the next poll. */
  wake(): void;
  /** Aborts a job if it runs in this process. */
  cancel(id: string): void;
  /** Resolves when this process runs no job and can claim none. */
  settled(): Promise<void>;
  /** Aborts its jobs and returns them to the queue. */
  stop(): Promise<void>;
}

export interface JobRunnerDeps extends Pick<Runtime, 'clock' | 'ids'> {
  queue: JobQueueRepository;
  logger: Pick<Logger, 'error'>;
  /** Whether other processes run jobs of the same database. */
  shared: boolean;
  /** Maximum number of jobs of a workspace that run at once, over all processes. */
  perWorkspace: number;
  /** Meters the work of jobs and applies subscriptions to them; without it nothing is billed. */
  subscriptions?: Pick<Subscriptions, 'isBilled' | 'requireOpen' | 'within'> | undefined;
}

/** Maximum number of jobs that run at once in one process, and of those without end beside them. */
const maxRunning = 4;
const maxEndless = 16;
/** After this time without a renewal, other workers take over a job. */
const leaseMilliseconds = 15_000;
/** How often to look for jobs that other processes have created or canceled. */
const pollMilliseconds = 1000;

const leaseUntil = (now: Date): Date => new Date(now.getTime() + leaseMilliseconds);

class JobAborted extends Error {}
class LeaseLost extends Error {}

interface RunningState {
  isEndless: boolean;
  controller: AbortController;
  why: 'canceled' | 'lost' | 'stopping' | undefined;
  done: Promise<void>;
}

/** Creates a runner. It claims no jobs before `start` is called. */
export const createJobRunner = ({
  queue,
  clock,
  ids,
  logger,
  shared,
  perWorkspace,
  subscriptions,
}: JobRunnerDeps): JobRunner => {
  const worker = ids.uuid();
  const kinds = new Map<JobType, JobKind>();
  const running = new Map<string, RunningState>();
  /** Jobs that were canceled while this worker was claiming some: it may just have claimed them. */
  const canceledMeanwhile = new Set<string>();
  const state = { isStopping: false };
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | undefined;
  let pollAgain = false;

  const abortJob = (job: RunningState | undefined, why: NonNullable<RunningState['why']>): void => {
    if (job === undefined || job.why !== undefined) return;
    job.why = why;
    job.controller.abort(new JobAborted(`The job is ${why}.`));
  };

  const within: Subscriptions['within'] = subscriptions?.within ?? ((_workspaceUid, work) => work());

  const jobOf = (row: JobRow, { signal }: AbortController): RunningJob => ({
    id: row.id,
    worker,
    datasetId: row.dataset_id,
    changeId: changeIdOfJob(row),
    config: JSON.parse(row.config),
    signal,
    actor: async (): Promise<Member> => {
      if (!(await queue.isOwn(row.id, worker)))
        throw new LeaseLost('Another worker has this job, or it was deleted.');
      const member = await queue.findStarter(row, clock.now());
      if (member === undefined) {
        throw forbidden(
          'The person who started this job is no longer an active member of the workspace, or their API key, their application or its grant is no longer valid. Start the job again with a valid credential.',
        );
      }
      await subscriptions?.requireOpen(row.workspace_uid);
      return member;
    },
    progress: (done) => queue.progress(row.id, worker, done),
  });

  const toError = (error: unknown, { id, type }: JobRow): JobError => {
    if (error instanceof RedoubtError) {
      const { name, message, code } = error;
      return { name, message, code };
    }
    logger.error({ err: error, jobId: id, type }, 'a job failed');
    const message = `Something went wrong in the server. Its log has the cause under the id of this job, ${id}.`;
    return { name: 'InternalServerError', message, code: 500 };
  };

  const work = async (row: JobRow, kind: JobKind, run: RunningState): Promise<void> => {
    const job = jobOf(row, run.controller);
    let status: 'completed' | 'canceled' | 'failed' = 'completed';
    let error: JobError | null = null;
    try {
      await within(row.workspace_uid, () => kind.run(job));
    } catch (cause) {
      if (run.why === 'lost' || cause instanceof LeaseLost) return;
      if (run.why === 'stopping') {
        await queue.giveBack(row.id, worker);
        return;
      }
      status = run.why === 'canceled' ? 'canceled' : 'failed';
      error =
        status === 'failed'
          ? toError(cause, row)
          : toJobError((await kind.describeCanceled?.(job)) ?? null, null, null);
    }
    await queue.end(row.id, worker, status, error, clock.now());
    await kind.ended?.(job);
  };

  const startJob = (row: JobRow, kind: JobKind): void => {
    const run: RunningState = {
      isEndless: row.is_endless,
      controller: new AbortController(),
      why: undefined,
      done: Promise.resolve(),
    };
    if (row.cancel_asked || canceledMeanwhile.has(row.id)) abortJob(run, 'canceled');
    // A job that is retried right after its end waits until the work after that end is done.
    const before = running.get(row.id)?.done ?? Promise.resolve();
    running.set(row.id, run);
    run.done = before
      .then(() => work(row, kind, run))
      .catch((error: unknown) => {
        logger.error({ err: error, jobId: row.id }, 'could not store the end of a job');
      })
      .finally(() => {
        if (running.get(row.id) === run) running.delete(row.id);
        poll();
      });
  };

  const lanes = (): NonNullable<Claim['lanes']> => {
    const endless = [...running.values()].filter(({ isEndless }) => isEndless).length;
    return { ending: running.size - endless < maxRunning, endless: endless < maxEndless };
  };

  const claimAll = async (): Promise<void> => {
    do {
      pollAgain = false;
      while (
        !state.isStopping &&
        (lanes().ending || lanes().endless) &&
        (await queue.hasWaiting(shared ? worker : undefined))
      ) {
        const now = clock.now();
        const row = await queue.claim({
          worker,
          now,
          leaseUntil: leaseUntil(now),
          perWorkspace,
          isBilled: subscriptions?.isBilled ?? false,
          types: [...kinds.keys()],
          lanes: lanes(),
        });
        const kind = row === undefined ? undefined : kinds.get(row.type);
        if (row === undefined || kind === undefined) break;
        startJob(row, kind);
      }
    } while (pollAgain && !state.isStopping);
  };

  function poll(): void {
    pollAgain = true;
    polling ??= claimAll()
      .catch((error: unknown) => {
        logger.error({ err: error }, 'could not claim a job');
      })
      .finally(() => {
        polling = undefined;
        canceledMeanwhile.clear();
        if (pollAgain && !state.isStopping) poll();
      });
  }

  /** Renews the leases of this worker, and aborts its jobs that were canceled or that another worker has claimed. */
  const renewLeases = async (): Promise<void> => {
    if (running.size > 0) {
      const own = new Map(
        (await queue.renew(worker, leaseUntil(clock.now()))).map((row) => [row.id, row.cancel_asked]),
      );
      for (const [id, job] of running) {
        if (own.get(id) === true) abortJob(job, 'canceled');
        if (!own.has(id)) abortJob(job, 'lost');
      }
    }
    poll();
  };

  const isQuiet = (): boolean => running.size === 0 && polling === undefined;

  return {
    add: (kind) => {
      kinds.set(kind.type, kind);
    },
    stagesOf: (type) => {
      const kind = kinds.get(type);
      if (kind === undefined) throw new Error(`Jobs of the type "${type}" are not registered.`);
      return kind.totalStages;
    },
    start: async () => {
      if (shared) {
        timer = setInterval(() => {
          renewLeases().catch((error: unknown) => {
            logger.error({ err: error }, 'could not renew the leases of jobs');
          });
        }, pollMilliseconds);
        timer.unref();
      } else {
        await queue.giveBackAll();
      }
      poll();
    },
    wake: poll,
    cancel: (id) => {
      if (running.has(id)) abortJob(running.get(id), 'canceled');
      else if (polling !== undefined) canceledMeanwhile.add(id);
    },
    settled: async () => {
      while (!isQuiet()) {
        await polling;
        await Promise.all(Array.from(running.values(), ({ done }) => done));
      }
    },
    stop: async () => {
      state.isStopping = true;
      clearInterval(timer);
      await polling;
      for (const job of running.values()) abortJob(job, 'stopping');
      await Promise.all(Array.from(running.values(), ({ done }) => done));
      await polling;
    },
  };
};
