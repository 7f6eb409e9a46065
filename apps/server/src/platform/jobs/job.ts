import type { JobError, JobStatus, JobType } from '@redoubt/contract';
import type { Member } from '../auth/actor.ts';
import type { JobRow } from '../db/schema.ts';
import { withoutNul } from '../db/without-nul.ts';

/** The statuses of jobs that have not ended. */
export const openStates = ['queued', 'running'] as const satisfies readonly JobStatus[];
export type EndedStatus = Extract<JobStatus, 'completed' | 'canceled' | 'failed'>;

/** The columns of an error; without one, all of them are null. */
export const errorColumns = (
  error: JobError | null,
): { error: string | null; error_name: string | null; error_code: number | null } => ({
  error: error === null ? null : withoutNul(error.message),
  error_name: error?.name ?? null,
  error_code: error?.code ?? null,
});

/** The error of a job or segment from its columns. */
export const toJobError = (
  message: string | null,
  name: string | null,
  code: number | null,
): JobError | null => (message === null ? null : { name, message, code });

/** A job, as passed to the code that does its work. */
export interface RunningJob {
  id: string;
  datasetId: string;
  /** The worker that runs it. */
  worker: string;
  /** Identifies the attempt. It stays the same when the job is resumed after a kill, and changes with a retry. */
  changeId: string;
  config: unknown;
  /** Aborted when the work must stop. */
  signal: AbortSignal;
  /**
   * Authenticates the person who started the job again, with the same credential. Call it right before anything is done
   * for them.
   * @throws RedoubtError 403 if they are no longer a member or the credential is no longer valid; another error if
   * another worker has claimed the job
   */
  actor(): Promise<Member>;
  /** Stores the progress. `stage` is the number of stages that are done. */
  progress(done: { stage?: number; percent?: number; recordCount?: number }): Promise<void>;
}

/** The implementation of one type of job. */
export interface JobKind {
  type: JobType;
  totalStages: number;
  /**
   * Does all of the work. A process that was killed at any point may have done part of it: running it again must give
   * the same result. When the signal is aborted it throws, unless the work is done.
   */
  run(job: RunningJob): Promise<void>;
  /** Called when the job has ended, whatever its status: state for resuming it can be deleted. */
  ended?(job: Pick<RunningJob, 'changeId' | 'datasetId' | 'id'>): Promise<void>;
  /** Describes what a job had done when it was canceled; undefined if it had done nothing. */
  describeCanceled?(job: Pick<RunningJob, 'id'>): Promise<string | undefined>;
}

/** See `RunningJob.changeId`. */
export const changeIdOfJob = ({ id, run }: Pick<JobRow, 'id' | 'run'>): string => `${id}-${run}`;
/** The id of the job that a change belongs to. */
export const jobIdOf = (changeId: string): string => changeId.slice(0, changeId.lastIndexOf('-'));
