import type { Job } from '@redoubt/contract';
import type { AuditEvent } from '../../platform/audit/index.ts';

/**
 * The audit event of an action on a job. It contains the type and the dataset, which every manager of the dataset may
 * see, and neither the configuration nor the result.
 * @param audience for a job about particular indexes: readers need to satisfy one of these labels to see the event
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
