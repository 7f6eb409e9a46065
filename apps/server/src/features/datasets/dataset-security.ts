import { parseColumnLabels, type ColumnLabels } from '@redoubt/labels';
import type { DatasetAccessRow } from './dataset-access.repository.ts';

/** What decides with a reader's attributes which records and columns of a dataset they see: all of one moment. */
export const readDatasetSecurity = ({
  label_count: labelCount,
  column_labels: columns,
}: Pick<DatasetAccessRow['dataset'], 'column_labels' | 'label_count'>): {
  labelCount: number;
  columns: ColumnLabels;
} => ({ labelCount, columns: parseColumnLabels(columns) });
