import type { Job, JobCreate, JobPatch, JobType, ListQuery, Segment } from '@redoubt/contract';
import { badRequest, forbidden, invalidField, notFound, notImplemented } from '@redoubt/errors';
import { setTimeout as delay } from 'node:timers/promises';
import type { Member } from '../../platform/auth/actor.ts';
import type { Page } from '../../platform/db/list.ts';
import type { AuditedChange } from '../../platform/audit/index.ts';
import type { JobChanges, JobRunner, NewJob } from '../../platform/jobs/index.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { jobEvent } from './job-event.ts';
import type { JobSelector, JobRepository } from './job.repository.ts';
import type { JobVisibility, JobSubjects } from './job-visibility.ts';

/** Starts a job as the specific call of its type does, with the same checks and errors. */
export type StartFromConfig = (actor: Member, datasetId: string, config: unknown) => Promise<Job>;

export interface JobService {
  /** @param datasetId absent for the jobs that the actor started, if the list selects their own `userId` */
  list(actor: Member, datasetId: string | undefined, list: ListQuery): Promise<Page<Job>>;
  get(actor: Member, id: string): Promise<Job>;
  /** Waits for the job to end, for five seconds at most, and returns it. */
  ended(actor: Member, id: string): Promise<Job>;
  create(actor: Member, body: JobCreate): Promise<Job>;
  patch(actor: Member, id: string, body: JobPatch): Promise<Job>;
  /**
   * Queues a canceled or failed job again on behalf of the person who started it.
   * @param beside stores more in the same transaction
   * @returns false if the job has neither of these states
   */
  retry(
    actor: Member,
    job: Pick<Job, 'datasetId' | 'id' | 'type'>,
    beside?: NewJob['beside'],
  ): Promise<boolean>;
  listSegments(actor: Member, datasetId: string, list: ListQuery): Promise<Page<Segment>>;
  getSegment(actor: Member, id: string): Promise<Segment>;
}

export interface JobServiceDeps extends Pick<Runtime, 'clock'> {
  jobs: JobRepository;
  audited: AuditedChange<Pick<JobChanges, 'requestCancel' | 'retry'>>;
  runner: Pick<JobRunner, 'cancel' | 'wake'>;
  starters: ReadonlyMap<JobType, StartFromConfig>;
  visibility: JobVisibility;
}

/** How often, and how many times, a canceled job is polled before the response. */
const pollMilliseconds = 50;
const maxPolls = 100;

const isOpen = ({ status }: Job): boolean => status === 'queued' || status === 'running';

/** @throws RedoubtError 400 unless the list selects the jobs of the actor */
const requireOwn = ({ accountId }: Member, { where }: ListQuery): void => {
  const isOwn = where.some(
    ({ field, operator, value }) => field === 'userId' && operator === 'eq' && value === accountId,
  );
  if (isOwn) return;
  throw invalidField({
    field: 'datasetId',
    expected: 'the id of a dataset',
    got: 'nothing',
    advice: 'Send the id of a dataset, or your own id as userId.',
  });
};

export const createJobService = ({
  jobs,
  audited,
  runner,
  starters,
  visibility,
  clock,
}: JobServiceDeps): JobService => {
  /** Returns the subjects of the selected jobs that are visible to the actor. */
  const findVisibleSubjects = async (actor: Member, selector: JobSelector): Promise<string[]> => {
    const visibleSubjects: string[] = [];
    const ofDatasets = Map.groupBy(
      await jobs.subjectsOfOthers(actor, selector),
      ({ datasetId }) => datasetId,
    );
    for (const [datasetId, subjectsOfOthers] of ofDatasets) {
      const areVisible = await visibility.visibleFieldsCheck(actor, datasetId);
      for (const { about } of subjectsOfOthers)
        if ((JSON.parse(about) as JobSubjects).some(areVisible)) visibleSubjects.push(about);
    }
    return visibleSubjects;
  };

  /** Changes a job, and logs an audit event if the change had an effect. */
  const change = async (
    actor: Member,
    job: Pick<Job, 'datasetId' | 'id' | 'type'>,
    description: string,
    work: (changes: Pick<JobChanges, 'requestCancel' | 'retry'>) => Promise<boolean>,
  ): Promise<boolean> => {
    const about = await jobs.aboutOf(job.id);
    const audience = about && (await visibility.audience(job.datasetId, about));
    return audited(
      actor,
      (isChanged) => (isChanged ? jobEvent(description, job, audience) : undefined),
      work,
    );
  };

  const get = async (actor: Member, id: string): Promise<Job> => {
    const job = await jobs.find(actor, id, await findVisibleSubjects(actor, { jobId: id }));
    if (job === undefined) throw notFound('job', id);
    return job;
  };

  const ended = async (actor: Member, id: string): Promise<Job> => {
    for (let polls = 0; polls < maxPolls; polls++) {
      const now = await get(actor, id);
      if (!isOpen(now)) return now;
      await delay(pollMilliseconds);
    }
    return get(actor, id);
  };

  const cancel = async (actor: Member, job: Job): Promise<Job> => {
    if (job.status === 'canceled') return job;
    if (!isOpen(job)) {
      throw badRequest(
        `The job "${job.id}" has already ended as "${job.status}". There is nothing to cancel.`,
      );
    }
    await change(actor, job, 'canceled a job', (changes) => changes.requestCancel(job.id, clock.now()));
    runner.cancel(job.id);
    runner.wake();
    return ended(actor, job.id);
  };

  const retry: JobService['retry'] = (actor, job, beside) =>
    change(actor, job, 'retried a job', (changes) => changes.retry(job.id, actor.sessionId, beside));

  const retryOwn = async (actor: Member, job: Job): Promise<Job> => {
    if (!(await jobs.hasStarted(actor, job.id))) {
      throw forbidden(
        'A job runs with the permissions of the person who started it, so only they may retry it. Start a job of your own.',
      );
    }
    if (job.status === 'queued') return job;
    if (!(await retry(actor, job))) {
      throw badRequest(
        `The job "${job.id}" is "${job.status}". Only canceled and failed jobs can be retried.`,
      );
    }
    const queued = await get(actor, job.id);
    runner.wake();
    return queued;
  };

  return {
    list: async (actor, datasetId, list) => {
      if (datasetId === undefined) {
        requireOwn(actor, list);
        return jobs.list(actor, undefined, [], list);
      }
      return jobs.list(actor, datasetId, await findVisibleSubjects(actor, { datasetId }), list);
    },
    get,
    ended,
    create: async (actor, { type, datasetId, config }) => {
      const start = starters.get(type);
      if (start === undefined) {
        throw notImplemented(
          `type: jobs of the type "${type}" cannot be started with POST /jobs. Use the call for that work.`,
        );
      }
      return start(actor, datasetId, config ?? {});
    },
    patch: async (actor, id, { status }) => {
      const job = await get(actor, id);
      return status === 'canceled' ? cancel(actor, job) : retryOwn(actor, job);
    },
    retry: async (actor, job, beside) => {
      const isQueued = await retry(actor, job, beside);
      if (isQueued) runner.wake();
      return isQueued;
    },
    listSegments: (actor, datasetId, list) => jobs.listSegments(actor, datasetId, list),
    getSegment: async (actor, id) => {
      const segment = await jobs.findSegment(actor, id);
      if (segment === undefined) throw notFound('segment', id);
      return segment;
    },
  };
};
