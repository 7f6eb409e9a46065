import type { JobType } from '@redoubt/contract';
import { forbidden, RedoubtError } from '@redoubt/errors';
import type { Member } from '../auth/actor.ts';
import type { Logger } from '../log/logger.ts';
import type { Runtime } from '../runtime.ts';
import type { Subscriptions } from '../subscriptions/index.ts';
import type { JobRow } from '../db/schema.ts';
import { changeIdOfJob, type JobKind, type RunningJob } from './job.ts';
import type { JobQueueRepository } from './job-queue.repository.ts';

/** Runs jobs in this process, taking turns with other processes on the same database. */
export interface JobRunner {
  /** Has jobs of a further type run; before the start. */
  add(kind: JobKind): void;
  stagesOf(type: JobType): number;
  /** Goes on with what a process that died left, and takes jobs from then on. */
  start(): Promise<void>;
  /** There is a new job. */
  wake(): void;
  /** Stops a job if it runs here. */
  cancel(id: string): void;
  /** Resolves when this process runs no job and finds none that it may run. */
  settled(): Promise<void>;
  /** Stops its jobs, which wait to be gone on with by whoever is there. */
  stop(): Promise<void>;
}

export interface JobRunnerDeps extends Pick<Runtime, 'clock' | 'ids'> {
  queue: JobQueueRepository;
  logger: Pick<Logger, 'error'>;
  /** Whether other processes run jobs of the same database. */
  shared: boolean;
  /** Jobs of a workspace that run side by side, in all processes. */
  perWorkspace: number;
  /** Whose queries it is, whether there may be changes, and how much runs side by side; absent: nothing is billed. */
  subscriptions?: Pick<Subscriptions, 'isBilled' | 'requireOpen' | 'within'> | undefined;
}

/** Jobs that run side by side in one process. */
const atOnce = 4;
/** How long a worker that was not heard of is taken for alive. */
const leaseMilliseconds = 15_000;
/** Other processes make and cancel jobs without telling. */
const lookEveryMilliseconds = 1000;

const leaseUntil = (now: Date): Date => new Date(now.getTime() + leaseMilliseconds);

class Stopped extends Error {}
class Lost extends Error {}

interface Running {
  controller: AbortController;
  why: 'canceled' | 'lost' | 'stopping' | undefined;
  done: Promise<void>;
}

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
  const running = new Map<string, Running>();
  /** Jobs that were canceled while this worker was about to take some: it may have just taken them. */
  const canceledMeanwhile = new Set<string>();
  const here = { isStopping: false };
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let again = false;

  const stopOne = (job: Running | undefined, why: NonNullable<Running['why']>): void => {
    if (job === undefined || job.why !== undefined) return;
    job.why = why;
    job.controller.abort(new Stopped(`The job is ${why}.`));
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
      if (!(await queue.isOwn(row.id, worker))) throw new Lost('Another worker has this job, or it is gone.');
      const member = await queue.findStarter(row, clock.now());
      if (member === undefined) {
        throw forbidden(
          'Whoever started this job is no active member of the workspace any more, or their API key or application is no more, or they took back what they let it do.',
        );
      }
      await subscriptions?.requireOpen(row.workspace_uid);
      return member;
    },
    progress: (done) => queue.progress(row.id, worker, done),
  });

  const textOf = (fault: unknown, { id, type }: JobRow): string => {
    if (fault instanceof RedoubtError) return fault.message;
    logger.error({ err: fault, jobId: id, type }, 'a job has failed');
    return `Something went wrong in the server; its log has the cause under the id of this job, ${id}.`;
  };

  const work = async (row: JobRow, kind: JobKind, state: Running): Promise<void> => {
    const job = jobOf(row, state.controller);
    let status: 'completed' | 'canceled' | 'failed' = 'completed';
    let error: string | null = null;
    try {
      await within(row.workspace_uid, () => kind.run(job));
    } catch (fault) {
      if (state.why === 'lost' || fault instanceof Lost) return;
      if (state.why === 'stopping') {
        await queue.giveBack(row.id, worker);
        return;
      }
      status = state.why === 'canceled' ? 'canceled' : 'failed';
      error = status === 'failed' ? textOf(fault, row) : ((await kind.describeCanceled?.(job)) ?? null);
    }
    await queue.end(row.id, worker, status, error, clock.now());
    await kind.ended?.(job);
  };

  const begin = (row: JobRow, kind: JobKind): void => {
    const state: Running = { controller: new AbortController(), why: undefined, done: Promise.resolve() };
    if (row.cancel_asked || canceledMeanwhile.has(row.id)) stopOne(state, 'canceled');
    running.set(row.id, state);
    state.done = work(row, kind, state)
      .catch((fault: unknown) => {
        logger.error({ err: fault, jobId: row.id }, 'the end of a job could not be noted');
      })
      .finally(() => {
        running.delete(row.id);
        look();
      });
  };

  const takeAll = async (): Promise<void> => {
    do {
      again = false;
      while (
        !here.isStopping &&
        running.size < atOnce &&
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
        });
        const kind = row === undefined ? undefined : kinds.get(row.type);
        if (row === undefined || kind === undefined) break;
        begin(row, kind);
      }
    } while (again && !here.isStopping);
  };

  function look(): void {
    again = true;
    looking ??= takeAll()
      .catch((fault: unknown) => {
        logger.error({ err: fault }, 'no job could be taken');
      })
      .finally(() => {
        looking = undefined;
        canceledMeanwhile.clear();
        if (again && !here.isStopping) look();
      });
  }

  /** Says that this worker is alive, and learns what others say of its jobs. */
  const beat = async (): Promise<void> => {
    if (running.size > 0) {
      const own = new Map(
        (await queue.renew(worker, leaseUntil(clock.now()))).map((row) => [row.id, row.cancel_asked]),
      );
      for (const [id, job] of running) {
        if (own.get(id) === true) stopOne(job, 'canceled');
        if (!own.has(id)) stopOne(job, 'lost');
      }
    }
    look();
  };

  const isQuiet = (): boolean => running.size === 0 && looking === undefined;

  return {
    add: (kind) => {
      kinds.set(kind.type, kind);
    },
    stagesOf: (type) => {
      const kind = kinds.get(type);
      if (kind === undefined) throw new Error(`No job of the type "${type}" can run here`);
      return kind.totalStages;
    },
    start: async () => {
      if (shared) {
        timer = setInterval(() => {
          beat().catch((fault: unknown) => {
            logger.error({ err: fault }, 'the jobs of this process could not be renewed');
          });
        }, lookEveryMilliseconds);
        timer.unref();
      } else {
        await queue.giveBackAll();
      }
      look();
    },
    wake: look,
    cancel: (id) => {
      if (running.has(id)) stopOne(running.get(id), 'canceled');
      else if (looking !== undefined) canceledMeanwhile.add(id);
    },
    settled: async () => {
      while (!isQuiet()) {
        await looking;
        await Promise.all(Array.from(running.values(), ({ done }) => done));
      }
    },
    stop: async () => {
      here.isStopping = true;
      clearInterval(timer);
      await looking;
      for (const job of running.values()) stopOne(job, 'stopping');
      await Promise.all(Array.from(running.values(), ({ done }) => done));
      await looking;
    },
  };
};
