import type { Job, JobCreate, JobPatch, JobType, ListQuery, Segment } from '@redoubt/contract';
import { badRequest, forbidden, notFound, notImplemented } from '@redoubt/errors';
import { setTimeout as delay } from 'node:timers/promises';
import type { Member } from '../../platform/auth/actor.ts';
import type { Page } from '../../platform/db/list.ts';
import type { AuditedChange } from '../../platform/audit/index.ts';
import type { JobChanges, JobRunner } from '../../platform/jobs/index.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { jobEvent } from './job-event.ts';
import type { JobPlace, JobRepository } from './job.repository.ts';
import type { JobSight, JobSubjects } from './job-sight.ts';

/** Does what the call of a type of job does. @throws RedoubtError as that call does */
export type StartFromConfig = (actor: Member, datasetId: string, config: unknown) => Promise<Job>;

export interface JobService {
  list(actor: Member, datasetId: string, list: ListQuery): Promise<Page<Job>>;
  get(actor: Member, id: string): Promise<Job>;
  /** The job as it ended, or as it is after five seconds. */
  ended(actor: Member, id: string): Promise<Job>;
  create(actor: Member, body: JobCreate): Promise<Job>;
  patch(actor: Member, id: string, body: JobPatch): Promise<Job>;
  listSegments(actor: Member, datasetId: string, list: ListQuery): Promise<Page<Segment>>;
  getSegment(actor: Member, id: string): Promise<Segment>;
}

export interface JobServiceDeps extends Pick<Runtime, 'clock'> {
  jobs: JobRepository;
  audited: AuditedChange<Pick<JobChanges, 'askCancel' | 'retry'>>;
  runner: Pick<JobRunner, 'cancel' | 'wake'>;
  starters: ReadonlyMap<JobType, StartFromConfig>;
  sight: JobSight;
}

/** How often, and how long at most, a job that is to stop is looked at before the answer. */
const lookMilliseconds = 50;
const mostLooks = 100;

const isOpen = ({ status }: Job): boolean => status === 'queued' || status === 'running';

export const createJobService = ({
  jobs,
  audited,
  runner,
  starters,
  sight,
  clock,
}: JobServiceDeps): JobService => {
  /** What of that which jobs are about at a place the actor sees. */
  const seenAt = async (actor: Member, place: JobPlace): Promise<string[]> => {
    const seen: string[] = [];
    const ofDatasets = Map.groupBy(await jobs.abouts(actor, place), ({ datasetId }) => datasetId);
    for (const [datasetId, abouts] of ofDatasets) {
      const sees = await sight.seer(actor, datasetId);
      for (const { about } of abouts) if ((JSON.parse(about) as JobSubjects).some(sees)) seen.push(about);
    }
    return seen;
  };

  /** Changes a job; where that came to something, there is an event of it. */
  const change = async (
    actor: Member,
    job: Job,
    description: string,
    work: (changes: Pick<JobChanges, 'askCancel' | 'retry'>) => Promise<boolean>,
  ): Promise<boolean> => {
    const about = await jobs.aboutOf(job.id);
    const audience = about && (await sight.audience(job.datasetId, about));
    return audited(
      actor,
      (isChanged) => (isChanged ? jobEvent(description, job, audience) : undefined),
      work,
    );
  };

  const get = async (actor: Member, id: string): Promise<Job> => {
    const job = await jobs.find(actor, id, await seenAt(actor, { jobId: id }));
    if (job === undefined) throw notFound('job', id);
    return job;
  };

  const ended = async (actor: Member, id: string): Promise<Job> => {
    for (let looks = 0; looks < mostLooks; looks++) {
      const now = await get(actor, id);
      if (!isOpen(now)) return now;
      await delay(lookMilliseconds);
    }
    return get(actor, id);
  };

  const cancel = async (actor: Member, job: Job): Promise<Job> => {
    if (job.status === 'canceled') return job;
    if (!isOpen(job)) {
      throw badRequest(`The job "${job.id}" has ended as "${job.status}": there is nothing to cancel.`);
    }
    await change(actor, job, 'canceled a job', (changes) => changes.askCancel(job.id, clock.now()));
    runner.cancel(job.id);
    runner.wake();
    return ended(actor, job.id);
  };

  const retry = async (actor: Member, job: Job): Promise<Job> => {
    if (!(await jobs.hasStarted(actor, job.id))) {
      throw forbidden('A job runs with the rights of whoever started it: only they may try it again.');
    }
    if (job.status === 'queued') return job;
    if (
      !(await change(actor, job, 'had a job tried again', (changes) =>
        changes.retry(job.id, actor.sessionId),
      ))
    ) {
      throw badRequest(
        `The job "${job.id}" is "${job.status}": only canceled and failed jobs are tried again.`,
      );
    }
    const queued = await get(actor, job.id);
    runner.wake();
    return queued;
  };

  return {
    list: async (actor, datasetId, list) =>
      jobs.list(actor, datasetId, await seenAt(actor, { datasetId }), list),
    get,
    ended,
    create: async (actor, { type, datasetId, config }) => {
      const start = starters.get(type);
      if (start === undefined) {
        throw notImplemented(`type: jobs of the type "${type}" are not started here: use the call for it.`);
      }
      return start(actor, datasetId, config ?? {});
    },
    patch: async (actor, id, { status }) => {
      const job = await get(actor, id);
      return status === 'canceled' ? cancel(actor, job) : retry(actor, job);
    },
    listSegments: (actor, datasetId, list) => jobs.listSegments(actor, datasetId, list),
    getSegment: async (actor, id) => {
      const segment = await jobs.findSegment(actor, id);
      if (segment === undefined) throw notFound('segment', id);
      return segment;
    },
  };
};
