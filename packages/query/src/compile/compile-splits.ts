import type { VisibleLabels } from '@redoubt/labels';
import { recordColumns } from '../storage/record-columns.ts';
import { quoteIdentifier } from '../storage/quoting.ts';
import { compileLabelFilter } from './label-filter.ts';
import type { TableName } from './search-types.ts';

/**
 * The statement whose rows are the first and last record id of each `size` visible rows, in the order of ids; the last
 * range may hold fewer.
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
  if (!Number.isSafeInteger(size) || size < 1) throw new RangeError(`Not a row count: ${String(size)}`);
  const { recordId } = recordColumns;
  const rows = `SELECT ${recordId}, row_number() OVER (ORDER BY ${recordId}) AS place FROM ${quoteIdentifier(database)}.${quoteIdentifier(datasetId)} PREWHERE ${compileLabelFilter(visible)}`;
  return `SELECT min(${recordId}), max(${recordId}) FROM (${rows}) GROUP BY intDiv(place - 1, ${String(size)}) AS split ORDER BY split`;
}
