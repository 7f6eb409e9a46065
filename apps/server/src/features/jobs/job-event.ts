import type { Job } from '@redoubt/contract';
import type { AuditEvent } from '../../platform/audit/index.ts';

/**
 * What somebody did with a job. Its kind and its dataset are seen by whoever manages the dataset; what it was asked, and what it
 * came to, are no part of the event.
 */
export const jobEvent = (
  description: string,
  { id, type, datasetId }: Pick<Job, 'datasetId' | 'id' | 'type'>,
): AuditEvent => ({ type: 'DatasetManagement', description, datasetId, details: { job: type, jobId: id } });
