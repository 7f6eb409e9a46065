import type { JobStatus, JobType } from '@redoubt/contract';
import type { Member } from '../auth/actor.ts';
import type { JobRow } from '../db/schema.ts';

/** A job that waits or runs. */
export const openStates = ['queued', 'running'] as const satisfies readonly JobStatus[];
export type EndedStatus = Extract<JobStatus, 'completed' | 'canceled' | 'failed'>;

/** A job as the code sees that does its work. */
export interface RunningJob {
  id: string;
  datasetId: string;
  /** The worker that runs it. */
  worker: string;
  /** Names this attempt and those that go on with it after a kill: another one when the job is tried again. */
  changeId: string;
  config: unknown;
  /** Aborted when the work is to stop. */
  signal: AbortSignal;
  /**
   * Who started the job, as they are at this moment by the credential with which they did. To be asked right before
   * anything is done in their name.
   * @throws RedoubtError 403 where they are no member any more or the credential is no more, and an error where another worker has taken the job
   */
  actor(): Promise<Member>;
  /** Notes how far it is. `stage` counts the stages that are done. */
  progress(done: { stage?: number; percent?: number; recordCount?: number }): Promise<void>;
}

/** What jobs of one type do. */
export interface JobKind {
  type: JobType;
  totalStages: number;
  /**
   * Does all of the work. It may have been begun before, by a process that was killed anywhere: done again it has to come to
   * the same. When the signal is aborted it throws, unless the work is done already.
   */
  run(job: RunningJob): Promise<void>;
  /** Called when the job has ended, whichever way: nothing needs to be kept to go on with it. */
  ended?(job: Pick<RunningJob, 'changeId' | 'datasetId' | 'id'>): Promise<void>;
  /** Says what a job had done when it was canceled; nothing where it had done nothing. */
  describeCanceled?(job: Pick<RunningJob, 'id'>): Promise<string | undefined>;
}

/** See `RunningJob.changeId`. */
export const changeIdOfJob = ({ id, run }: Pick<JobRow, 'id' | 'run'>): string => `${id}-${run}`;
/** The id of the job that a change belongs to. */
export const jobIdOf = (changeId: string): string => changeId.slice(0, changeId.lastIndexOf('-'));
