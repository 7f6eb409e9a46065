import type { Logger } from '../../platform/log/logger.ts';
import type { DatasetStore } from './dataset-records.ts';
import type { PendingDropRepository } from './pending-drops.repository.ts';

/** Drops the record tables of datasets that are gone from the metadata, or never came to be. */
export interface PendingDrops {
  /** Before the record table of a new dataset is made: until its row is stored, the table is to be dropped. */
  announce(datasetId: string): Promise<void>;
  /** Drops the record table of a dataset that was not made; it may have been made after another process had dropped it. */
  giveUp(datasetId: string): Promise<void>;
  /** Drops the record tables of removed datasets. A failure is logged, and the table tried again next time. */
  drainPendingDrops(): Promise<void>;
  /** For the start of the server: as `drainPendingDrops`, and for datasets whose making was broken off. */
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
          'the record table of a removed dataset is still to be dropped',
        );
      }
    }
  };
  return {
    announce: (datasetId) => repository.announce(datasetId),
    giveUp: async (datasetId) => {
      await repository.queue(datasetId);
      await drainPendingDrops();
    },
    drainPendingDrops,
    recoverPendingDrops: async () => {
      await repository.giveUpCreations();
      await drainPendingDrops();
    },
  };
};
