import type { Member } from '../../platform/auth/actor.ts';

/** Fields of the indexes that a job is about; who sees all fields of one of them may know of the job. */
export type JobSubjects = readonly (readonly string[])[];

/** Tells who may know of a job that is about some fields of a dataset. */
export interface JobSight {
  /** Whether the actor manages the dataset and sees all of some fields of its records. */
  seer(actor: Member, datasetId: string): Promise<(fields: readonly string[]) => boolean>;
  /** Labels of which anybody satisfies one who sees all fields of one of the subjects. */
  audience(datasetId: string, about: JobSubjects): Promise<readonly string[]>;
}
