import type { Job, JobType } from '@redoubt/contract';

export const jobNames: Record<JobType, string> = {
  ingest: 'Import files',
  reindex: 'Build indexes',
  'clear-dataset': 'Clear the dataset',
  'delete-record': 'Delete records',
  'delete-document': 'Delete documents',
  'relabel-record': 'Change labels',
};

/** How long a job has run, in milliseconds; undefined before its start. */
export const durationOf = ({ startedAt, endedAt }: Job, now: Date): number | undefined =>
  startedAt === null
    ? undefined
    : Math.max(0, (endedAt === null ? now : new Date(endedAt)).getTime() - new Date(startedAt).getTime());
