import type { OperationId } from '@redoubt/contract';
import type { Audit } from '../../platform/audit/index.ts';
import type { Member } from '../../platform/auth/actor.ts';

/** Of a read over very many datasets, so many are named. */
const mostNamed = 100;

/**
 * Notes that somebody reads records: of which datasets and by which call, before any of them leaves. What was asked for is
 * not kept, as expressions quote what others may not know.
 */
export type AuditDownload = (
  actor: Member,
  operation: OperationId,
  datasetIds: readonly string[],
) => Promise<void>;

export const createAuditDownload =
  (audit: Pick<Audit, 'tell'>): AuditDownload =>
  (actor, operation, datasetIds) =>
    audit.tell(actor, {
      type: 'DataDownload',
      description:
        datasetIds.length === 1
          ? 'read records of a dataset'
          : `read records of ${datasetIds.length} datasets`,
      datasetId: datasetIds.length === 1 ? datasetIds[0] : undefined,
      details: {
        operation,
        datasetIds: datasetIds.length > 1 ? datasetIds.toSorted().slice(0, mostNamed) : undefined,
      },
    });
