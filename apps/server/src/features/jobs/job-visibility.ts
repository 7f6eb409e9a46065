import type { Member } from '../../platform/auth/actor.ts';

/** The indexes that a job is about, as lists of fields. The job is visible to readers who may see all fields of one of them. */
export type JobSubjects = readonly (readonly string[])[];

/** Decides who may see a job that is about some fields of a dataset. */
export interface JobVisibility {
  /** Returns a function that tells whether the actor manages the dataset and may see all given fields. */
  visibleFieldsCheck(actor: Member, datasetId: string): Promise<(fields: readonly string[]) => boolean>;
  /** Returns labels such that every reader who may see all fields of one of the subjects satisfies at least one label. */
  audience(datasetId: string, about: JobSubjects): Promise<readonly string[]>;
}
