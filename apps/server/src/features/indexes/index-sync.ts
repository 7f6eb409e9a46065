import { serializeColumnLabels } from '@redoubt/labels';
import type { RecordStore } from '@redoubt/records';
import type { Logger } from '../../platform/log/logger.ts';
import type { IndexedDataset, IndexRepository } from './index.repository.ts';

const noLabels = serializeColumnLabels(new Map());

export interface IndexSync {
  /** Makes the engine's indexes match the configuration of the dataset. */
  arrange(datasetId: string): Promise<void>;
  /**
   * Updates the indexes after a write with new fields, or after columns were labelled. The write itself is already
   * stored, so an error here is only logged.
   * @param dataset its state at the start of the request
   * @param labelsColumns whether the request labelled columns
   */
  afterWrite(
    dataset: Pick<IndexedDataset, 'column_labels'> & { id: string },
    labelsColumns: boolean,
  ): Promise<void>;
}

export const createIndexSync = ({
  indexes,
  store,
  logger,
}: {
  indexes: Pick<IndexRepository, 'all' | 'dataset'>;
  store: Pick<RecordStore, 'arrangeIndexes' | 'indexesDue' | 'indexWordsByPath'>;
  logger: Pick<Logger, 'error'>;
}): IndexSync => {
  /** The last pending call per dataset. Calls run one after another, so that the newest configuration is applied last. */
  const tails = new Map<string, Promise<void>>();

  const arrangeNow = async (id: string): Promise<void> => {
    // Reads the dataset again, because this request or another process may have labelled columns meanwhile.
    const dataset = await indexes.dataset(id);
    if (dataset === undefined) return;
    const { auto_create_indexes: automatic, column_labels: labels } = dataset;
    const rows = await indexes.all(id);
    const of = (state: 'made' | 'dropped') =>
      rows.filter((row) => row.state === state).map(({ fields }) => fields);
    // Several people may have created an index over the same fields.
    const made = new Map(of('made').map((fields) => [JSON.stringify(fields), fields]));
    await store.arrangeIndexes(id, {
      fields: [...made.values()],
      automatic,
      except: of('dropped').flat(),
      hidesColumns: labels !== noLabels,
    });
  };

  const arrange = async (datasetId: string): Promise<void> => {
    const before = tails.get(datasetId) ?? Promise.resolve();
    const current = before.then(async () => arrangeNow(datasetId));
    const tail = current.catch(() => undefined);
    tails.set(datasetId, tail);
    try {
      await current;
    } finally {
      if (tails.get(datasetId) === tail) tails.delete(datasetId);
    }
  };

  return {
    arrange,
    afterWrite: async (dataset, labelsColumns) => {
      try {
        if (labelsColumns || dataset.column_labels !== noLabels) await store.indexWordsByPath(dataset.id);
        if (store.indexesDue(dataset.id)) await arrange(dataset.id);
      } catch (error) {
        logger.error({ err: error, datasetId: dataset.id }, 'could not update the indexes of a dataset');
      }
    },
  };
};
