import type { Dataset } from '@redoubt/contract';
import type { VisibleLabels } from '@redoubt/labels';
import type { RecordStore } from '@redoubt/records';
import type { DatasetAccessRow } from './dataset-access.repository.ts';
import { readDatasetSecurity } from './dataset-security.ts';

/** The part of the record store that datasets use. */
export type DatasetStore = Pick<
  RecordStore,
  'createDataset' | 'dropDataset' | 'visibleLabels' | 'countVisible' | 'schema'
>;

/** Count and schema of the records of a dataset that are visible with given attributes. */
export interface DatasetRecords {
  countVisible(dataset: DatasetAccessRow['dataset'], attributes: ReadonlySet<string>): Promise<number>;
  /** The top-level fields with their types. */
  schema(dataset: DatasetAccessRow['dataset'], attributes: ReadonlySet<string>): Promise<Dataset['schema']>;
}

export const createDatasetRecords = (
  store: Pick<DatasetStore, 'visibleLabels' | 'countVisible' | 'schema'>,
): DatasetRecords => {
  const visibleIn = (
    dataset: DatasetAccessRow['dataset'],
    attributes: ReadonlySet<string>,
  ): Promise<VisibleLabels> => store.visibleLabels(dataset.id, attributes, readDatasetSecurity(dataset));
  return {
    countVisible: async (dataset, attributes) =>
      store.countVisible(dataset.id, await visibleIn(dataset, attributes)),
    schema: async (dataset, attributes) => store.schema(dataset.id, await visibleIn(dataset, attributes), {}),
  };
};
