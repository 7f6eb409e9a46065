import type { VisibleLabels } from '@redoubt/labels';
import { recordColumns } from '../storage/record-columns.ts';
import { quoteIdentifier } from '../storage/quoting.ts';
import { compileLabelPredicate } from './label-filter.ts';
import type { TableName } from './search-types.ts';

/**
 * Compiles the statement that divides a dataset into ranges of `size` visible rows. Each row has the first and last record
 * id of a range, in the order of ids. The last range may have fewer rows.
 * @throws RangeError if `size` is not a positive integer
 */
export function compileSplits({
  table: { database, datasetId },
  visible,
  size,
}: {
  table: TableName;
  visible: VisibleLabels;
  size: number;
}): string {
  if (!Number.isSafeInteger(size) || size < 1)
    throw new RangeError(`Expected a row count, got ${String(size)}.`);
  const { recordId } = recordColumns;
  const rows = `SELECT ${recordId}, row_number() OVER (ORDER BY ${recordId}) AS place FROM ${quoteIdentifier(database)}.${quoteIdentifier(datasetId)} PREWHERE ${compileLabelPredicate(visible)}`;
  return `SELECT min(${recordId}), max(${recordId}) FROM (${rows}) GROUP BY intDiv(place - 1, ${String(size)}) AS split ORDER BY split`;
}
