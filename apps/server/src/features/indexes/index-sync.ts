import { serializeColumnLabels } from '@redoubt/labels';
import type { RecordStore } from '@redoubt/records';
import type { Logger } from '../../platform/log/logger.ts';
import type { IndexedDataset, IndexRepository } from './index.repository.ts';

const noLabels = serializeColumnLabels(new Map());

export interface IndexSync {
  /** Has the engine keep the indexes that the dataset is to have, and no others. */
  arrange(datasetId: string): Promise<void>;
  /**
   * After a write, where it brought fields, and after columns were labelled: what was asked for is stored, so a fault here is
   * none of the writer's.
   * @param dataset as it was when the request came
   * @param labelsColumns whether columns were labelled just now
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
  /** One after another for each dataset: what is read last is what is arranged last. */
  const tails = new Map<string, Promise<void>>();

  const arrangeNow = async (id: string): Promise<void> => {
    // As it is now: a request may have labelled columns since its own look, or another process have.
    const dataset = await indexes.dataset(id);
    if (dataset === undefined) return;
    const { auto_create_indexes: automatic, column_labels: labels } = dataset;
    const rows = await indexes.all(id);
    const of = (state: 'made' | 'dropped') =>
      rows.filter((row) => row.state === state).map(({ fields }) => fields);
    // Several people may have made the same.
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
    const turn = before.then(async () => arrangeNow(datasetId));
    const tail = turn.catch(() => undefined);
    tails.set(datasetId, tail);
    try {
      await turn;
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
      } catch (fault) {
        logger.error({ err: fault, datasetId: dataset.id }, 'the indexes of a dataset were not arranged');
      }
    },
  };
};
