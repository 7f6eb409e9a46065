import type { Logger } from '../../platform/log/logger.ts';
import type { DatasetStore } from './dataset-records.ts';
import type { PendingDropRepository } from './pending-drops.repository.ts';

/** Drops the record tables of datasets that were deleted, or whose creation did not complete. */
export interface PendingDrops {
  /** Call it before creating the record table of a new dataset: without a stored dataset, the table is dropped at the next start. */
  announce(datasetId: string): Promise<void>;
  /** Drops the record table of a dataset whose creation failed, in case it was created after another process dropped it. */
  discard(datasetId: string): Promise<void>;
  /** Drops the record tables of deleted datasets. Logs a failure, and retries that table with the next call. */
  drainPendingDrops(): Promise<void>;
  /** For the start of the server: also drops the tables of datasets whose creation was interrupted. */
  recoverPendingDrops(): Promise<void>;
}

export const createPendingDrops = ({
  repository,
  store,
  logger,
}: {
  repository: PendingDropRepository;
  store: Pick<DatasetStore, 'dropDataset'>;
  logger: Pick<Logger, 'error'>;
}): PendingDrops => {
  const drainPendingDrops = async (): Promise<void> => {
    for (const datasetId of await repository.list()) {
      try {
        await store.dropDataset(datasetId);
        await repository.remove(datasetId);
      } catch (error) {
        logger.error(
          { err: error, datasetId },
          'could not drop the record table of a deleted dataset; it is retried later',
        );
      }
    }
  };
  return {
    announce: (datasetId) => repository.announce(datasetId),
    discard: async (datasetId) => {
      await repository.schedule(datasetId);
      await drainPendingDrops();
    },
    drainPendingDrops,
    recoverPendingDrops: async () => {
      await repository.discardCreations();
      await drainPendingDrops();
    },
  };
};
