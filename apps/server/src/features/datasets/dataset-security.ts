import { parseColumnLabels, type ColumnLabels } from '@redoubt/labels';
import type { DatasetAccessRow } from './dataset-access.repository.ts';

/** Reads the inputs of visibility from one row of a dataset, so that label count and column labels belong together. */
export const readDatasetSecurity = ({
  label_count: labelCount,
  column_labels: columns,
}: Pick<DatasetAccessRow['dataset'], 'column_labels' | 'label_count'>): {
  labelCount: number;
  columns: ColumnLabels;
} => ({ labelCount, columns: parseColumnLabels(columns) });
