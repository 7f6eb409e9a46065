import type { Dataset } from '@redoubt/contract';
import type { DatasetAccessRow } from './dataset-access.repository.ts';

/** Where the records of a dataset are kept. */
export interface DatasetTables {
  createDataset(datasetId: string): Promise<void>;
  /** Fine where there is no table. */
  dropDataset(datasetId: string): Promise<void>;
}

/** What is known of the records of a dataset that somebody with these attributes sees. */
export interface DatasetRecords {
  countVisible(dataset: DatasetAccessRow['dataset'], attributes: ReadonlySet<string>): Promise<number>;
  /** The top-level fields with their types. */
  schema(dataset: DatasetAccessRow['dataset'], attributes: ReadonlySet<string>): Promise<Dataset['schema']>;
}
