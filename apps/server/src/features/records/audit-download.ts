import type { OperationId } from '@redoubt/contract';
import type { Audit } from '../../platform/audit/index.ts';
import type { Member } from '../../platform/auth/actor.ts';

/** An audit event lists at most this many dataset ids. */
const maxListedDatasets = 100;

/**
 * Logs an audit event before the first record leaves the server: which datasets are read, and by which operation. The
 * expression is left out, because it may quote values that readers of the audit log may not see.
 */
export type AuditDownload = (
  actor: Member,
  operation: OperationId,
  datasetIds: readonly string[],
) => Promise<void>;

export const createAuditDownload =
  (audit: Pick<Audit, 'log'>): AuditDownload =>
  (actor, operation, datasetIds) =>
    audit.log(actor, {
      type: 'DataDownload',
      description:
        datasetIds.length === 1
          ? 'read records of a dataset'
          : `read records of ${datasetIds.length} datasets`,
      datasetId: datasetIds.length === 1 ? datasetIds[0] : undefined,
      details: {
        operation,
        datasetIds: datasetIds.length > 1 ? datasetIds.toSorted().slice(0, maxListedDatasets) : undefined,
      },
    });
