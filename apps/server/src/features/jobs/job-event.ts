import type { Job } from '@redoubt/contract';
import type { AuditEvent } from '../../platform/audit/index.ts';

/**
 * What somebody did with a job. Its kind and its dataset are seen by whoever manages the dataset; what it was asked, and what it
 * came to, are no part of the event.
 * @param audience labels of those who may know of a job about particular indexes
 */
export const jobEvent = (
  description: string,
  { id, type, datasetId }: Pick<Job, 'datasetId' | 'id' | 'type'>,
  audience: AuditEvent['audience'],
): AuditEvent => ({
  type: 'DatasetManagement',
  description,
  datasetId,
  details: { job: type, jobId: id },
  audience,
});
