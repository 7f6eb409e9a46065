import type { VisibleLabels } from '@redoubt/labels';
import { quoteIdentifier, quoteString } from '../storage/quoting.ts';
import { recordColumns } from '../storage/record-columns.ts';
import { falseLiteral } from './predicate.ts';
import type { TableName } from './search-types.ts';

const { recordId, labelId, raw } = recordColumns;

/** The columns that the table of copies has in addition to those of a dataset's table. */
export const summaryCopyColumns = {
  /** When the copy was made, by the engine's clock. */
  madeAt: 'made_at',
  /** The process that made the copy. Copy numbers are unique for each writer. */
  writer: 'writer',
  /** The number of the copy in the high 32 bits, and the label id of the record in the low 32 bits. */
  visibility: 'sight',
  /** The dataset, and the state of its table when it was copied. They serve to find outdated copies. */
  dataset: 'dataset',
  state: 'state',
} as const;

/** The number of a dataset's copy, and the labels that are visible to its reader. */
export interface CopyVisibility {
  copy: number;
  visible: Pick<VisibleLabels, 'ids'>;
}

/** For readers with more visible labels, copies are not used, because the statement lists each label of each copy. */
export const maxLabelsPerCopy = 300;

const printTable = ({ database, datasetId }: TableName): string =>
  `${quoteIdentifier(database)}.${quoteIdentifier(datasetId)}`;

/**
 * Compiles the SELECT that converts rows of a dataset's table to rows of a copy.
 * @param state identifies the current content of the table
 * @param columns copied unchanged
 */
export const compileCopyRows = (
  table: TableName,
  { copy, dataset, state }: { copy: number; dataset: string; state: string },
  columns: readonly string[],
): string =>
  `SELECT toUInt64(${printInteger(copy)}) * 4294967296 + ${labelId} AS ${summaryCopyColumns.visibility}, ${quoteString(dataset)} AS ${summaryCopyColumns.dataset}, ${quoteString(state)} AS ${summaryCopyColumns.state}, ${columns.join(', ')} FROM ${printTable(table)}`;

/** Compiles the predicate that selects the visible rows of these copies. It lists the visible labels of each copy. */
function compileCopyLabelPredicate(copies: readonly CopyVisibility[]): string {
  const numbers = copies.flatMap(({ copy, visible }) => {
    const first = BigInt(printInteger(copy)) << 32n;
    return [...visible.ids].map((id) => String(first + BigInt(id)));
  });
  return numbers.length === 0 ? falseLiteral : `${summaryCopyColumns.visibility} IN (${numbers.join(',')})`;
}

/**
 * Compiles the statement that searches many copies at once. It returns the first matches of each copy by record id, as
 * rows of (copy number, number of all matches in the copy, position from 1, record_id, raw).
 * @param copies the copies, and what is visible in each
 * @param match the predicate of `compileUnfilteredPredicate`, which must be the same for all copies
 * @param limit the maximum number of rows for each copy, at least 1
 */
export function compileSummaryCopySearch({
  table,
  writer,
  copies,
  match,
  limit,
}: {
  table: TableName;
  writer: string;
  copies: readonly CopyVisibility[];
  match: string;
  limit: number;
}): string {
  const source = `FROM ${printTable(table)} WHERE ${compileCopyLabelPredicate(copies)} AND ${summaryCopyColumns.writer} = ${quoteString(writer)} AND ${match}`;
  const first = `groupArraySorted(${printInteger(limit)})((${recordId}, ${raw}))`;
  const found = `SELECT bitShiftRight(${summaryCopyColumns.visibility}, 32) AS copy, count() AS total, ${first} AS first ${source} GROUP BY copy`;
  return `SELECT copy, total, place, row.1, row.2 FROM (${found}) ARRAY JOIN first AS row, arrayEnumerate(first) AS place`;
}

/** Throws unless the value is a non-negative integer, so that nothing else gets into a statement. */
function printInteger(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`Expected a non-negative integer, got ${String(value)}.`);
  return String(value);
}
