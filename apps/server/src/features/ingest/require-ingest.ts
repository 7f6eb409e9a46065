import type { Member } from '../../platform/auth/actor.ts';
import type { AccessibleDataset, DatasetAccess } from '../datasets/index.ts';
import type { IngestOptions } from './ingest-options.ts';

/**
 * Requires the permissions to store rows with these options. Rows that replace records need read besides write: without
 * read, no record would be found, and every row would be added.
 * @throws NotFoundError 404, ForbiddenError 403
 */
export const requireIngest = async (
  access: Pick<DatasetAccess, 'requireCall'>,
  actor: Member,
  datasetId: string,
  { write }: Pick<IngestOptions, 'write'>,
): Promise<AccessibleDataset> => {
  const accessible = await access.requireCall(actor, datasetId, 'createUpload');
  return write === undefined ? accessible : access.requireCall(actor, datasetId, 'deleteRecords');
};
