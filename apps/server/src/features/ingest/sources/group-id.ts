import { createHash } from 'node:crypto';

/**
 * The id of a group of jobs. A group belongs to one person and dataset: what another person has read tells nobody, and
 * changes nothing for others.
 */
export const groupId = (
  { workspaceUid, accountId, datasetId }: { workspaceUid: string; accountId: string; datasetId: string },
  type: string,
  name: string,
): string =>
  createHash('sha256')
    .update(JSON.stringify([workspaceUid, accountId, datasetId, type, name]))
    .digest('hex');
