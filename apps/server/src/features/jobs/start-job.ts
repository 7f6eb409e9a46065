import type { Job, JobType } from '@redoubt/contract';
import { notFound } from '@redoubt/errors';
import type { Member } from '../../platform/auth/actor.ts';
import { credentialText } from '../../platform/auth/credential.ts';
import type { AuditedChange } from '../../platform/audit/index.ts';
import type { JobChanges, JobRunner, NewJob, NewSegment } from '../../platform/jobs/index.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { jobEvent } from './job-event.ts';
import type { JobRepository } from './job.repository.ts';
import type { JobVisibility, JobSubjects } from './job-visibility.ts';

/** Queues a job on behalf of the actor, whose permission the caller has checked. Returns the job while it is queued. */
export type StartJob = (
  actor: Member,
  job: {
    type: JobType;
    datasetId: string;
    config: Record<string, unknown>;
    /** The fields of the indexes that it is about, if the job is visible only to readers of these fields. */
    about?: JobSubjects | undefined;
    /** Its parts; a single one by default. */
    segments?: readonly NewSegment[] | undefined;
    /** The id of the job; a new one by default. */
    id?: string | undefined;
    /** Whether it runs until it is stopped. */
    isEndless?: boolean | undefined;
    /** Stores what belongs to the job, in the same transaction. */
    beside?: NewJob['beside'];
  },
) => Promise<Job>;

export const createStartJob =
  ({
    jobs,
    audited,
    runner,
    clock,
    ids,
    visibility,
  }: {
    jobs: Pick<JobRepository, 'find'>;
    audited: AuditedChange<Pick<JobChanges, 'create'>>;
    runner: Pick<JobRunner, 'stagesOf' | 'wake'>;
    visibility: Pick<JobVisibility, 'audience'>;
  } & Pick<Runtime, 'clock' | 'ids'>): StartJob =>
  async (actor, { type, datasetId, config, about, segments, id = ids.uuid(), isEndless, beside }) => {
    const audience = about && (await visibility.audience(datasetId, about));
    const event = jobEvent('started a job', { id, type, datasetId }, audience);
    const created = {
      id,
      segments: segments ?? [{ id: ids.uuid() }],
      workspaceUid: actor.workspace.uniqueId,
      datasetId,
      accountId: actor.accountId,
      credential: credentialText(actor.credential),
      sessionId: actor.sessionId,
      type,
      config,
      about,
      totalStages: runner.stagesOf(type),
      isEndless,
      createdAt: clock.now(),
      beside,
    };
    await audited(actor, event, (changes) => changes.create(created));
    const job = await jobs.find(actor, id, []);
    // Wakes the runner only now, so that the response shows the job as queued.
    runner.wake();
    if (job === undefined) throw notFound('job', id);
    return job;
  };
