import type { VisibleLabels } from '@redoubt/labels';
import { quoteIdentifier, quoteString } from '../storage/quoting.ts';
import { recordColumns } from '../storage/record-columns.ts';
import { falseLiteral } from './predicate.ts';
import type { TableName } from './search-types.ts';

const { recordId, labelId, raw } = recordColumns;

/** Columns of the table of copies that those of records have not; the rest is as in a dataset's own table. */
export const summaryCopyColumns = {
  /** When the copy was made, by the engine's clock. */
  madeAt: 'made_at',
  /** Whose numbers of copies they are. */
  writer: 'writer',
  /** The number of the copy, and in its low 32 bits the label of the record. */
  sight: 'sight',
  /** What it is a copy of, and the state of its table then: to find what counts no more. */
  dataset: 'dataset',
  state: 'state',
} as const;

/** The number of a dataset's copy, and the labels that its reader satisfies. */
export interface CopyVisibility {
  copy: number;
  visible: Pick<VisibleLabels, 'ids'>;
}

/** Readers of more labels than these are not given copies, as each label of each copy is named. */
export const maxLabelsPerCopy = 300;

const tableText = ({ database, datasetId }: TableName): string =>
  `${quoteIdentifier(database)}.${quoteIdentifier(datasetId)}`;

/**
 * The rows of a dataset's table as those of a copy, `columns` as they are.
 * @param state names what the table is now
 */
export const compileCopyRows = (
  table: TableName,
  { copy, dataset, state }: { copy: number; dataset: string; state: string },
  columns: readonly string[],
): string =>
  `SELECT toUInt64(${wholeText(copy)}) * 4294967296 + ${labelId} AS ${summaryCopyColumns.sight}, ${quoteString(dataset)} AS ${summaryCopyColumns.dataset}, ${quoteString(state)} AS ${summaryCopyColumns.state}, ${columns.join(', ')} FROM ${tableText(table)}`;

/** The condition that a row is of one of these copies and has a label that its reader satisfies: it names these alone. */
function compileSights(sights: readonly CopyVisibility[]): string {
  const numbers = sights.flatMap(({ copy, visible }) => {
    const first = BigInt(wholeText(copy)) << 32n;
    return [...visible.ids].map((id) => String(first + BigInt(id)));
  });
  return numbers.length === 0 ? falseLiteral : `${summaryCopyColumns.sight} IN (${numbers.join(',')})`;
}

/**
 * The statement that searches many copies at once: rows of (number of the copy, matches in it, place, record_id, raw), for the
 * first matches of each copy by their ids.
 * @param match what rows match, of `compileUnfilteredPredicate`: the same for each of the copies
 * @param limit rows of each copy, 1 at least
 */
export function compileSummaryCopySearch({
  table,
  writer,
  sights,
  match,
  limit,
}: {
  table: TableName;
  writer: string;
  sights: readonly CopyVisibility[];
  match: string;
  limit: number;
}): string {
  const source = `FROM ${tableText(table)} WHERE ${compileSights(sights)} AND ${summaryCopyColumns.writer} = ${quoteString(writer)} AND ${match}`;
  const first = `groupArraySorted(${wholeText(limit)})((${recordId}, ${raw}))`;
  const found = `SELECT bitShiftRight(${summaryCopyColumns.sight}, 32) AS copy, count() AS total, ${first} AS first ${source} GROUP BY copy`;
  return `SELECT copy, total, place, row.1, row.2 FROM (${found}) ARRAY JOIN first AS row, arrayEnumerate(first) AS place`;
}

/** Guards the text of a statement: a number that is not whole is a fault of the caller. */
function wholeText(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`Not a whole number: ${String(value)}`);
  return String(value);
}
