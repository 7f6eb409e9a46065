import type { VisibleLabels } from '@redoubt/labels';
import { compileLabelPredicate, querySettings, quoteString, recordColumns } from '@redoubt/query';
import { singleBlockSettings } from '../engine/single-block-settings.ts';
import { insertColumns } from '../intake/prepared-rows.ts';

const { recordId, labelId, words, looseCode, looseText, looseNumber, timePath, timeMicros } = recordColumns;

/** Arriving rows that lack the words, times and overflow values of some paths. */
export interface CarriedRows {
  /** The ids of the records. */
  ids: readonly string[];
  /** The ids of the paths. */
  paths: readonly number[];
}

/**
 * The settings of `completeRows`. All rows are one block, so the statement can be repeated. The word index of the rows
 * is built when their part is merged, as for small inserts.
 */
export const completingSettings: Readonly<Record<string, number | string>> = {
  ...querySettings,
  ...singleBlockSettings,
  materialize_skip_indexes_on_insert: 0,
};

/**
 * A statement that inserts arriving rows again, completed by what the records that they replace have at some paths.
 * Making these values again from the text would take several times as long, and only for writers from whom columns are
 * hidden.
 * @param table the quoted table
 * @param visible what is visible to the writer
 * @param labels the label id of each incomplete row, and the one that the complete row gets
 */
export function completeRows(
  table: string,
  visible: VisibleLabels,
  labels: readonly (readonly [before: number, after: number])[],
  { ids, paths }: CarriedRows,
): string {
  const before = labels.map(([label]) => String(label)).join(', ');
  const after = labels.map(([, label]) => String(label)).join(', ');
  const chosen = `${recordId} IN (${ids.map(quoteString).join(', ')})`;
  const isCarried = (path: string): string => `${path} IN (${paths.map(String).join(', ')})`;
  /** Selects the items of a list by the path ids in another list of the same length. */
  const carried = (column: string, codes: string, pathId: (code: string) => string): string =>
    `arrayFilter((item, code) -> ${isCarried(pathId('code'))}, ${column}, ${codes})`;
  const ofLoose = (column: string): string => carried(column, looseCode, (code) => `intDiv(${code}, 32)`);
  const ofTimes = (column: string): string => carried(column, timePath, (code) => code);

  const additions: Readonly<Record<string, string>> = {
    [words]: `arrayStringConcat(arrayMap(part -> concat(part, '\x01'), arrayFilter(part -> part != '' AND ${isCarried("toUInt32OrZero(extract(part, '^[0-9]+'))")}, splitByChar('\x01', ${words}))))`,
    [looseCode]: ofLoose(looseCode),
    [looseText]: ofLoose(looseText),
    [looseNumber]: ofLoose(looseNumber),
    [timePath]: ofTimes(timePath),
    [timeMicros]: ofTimes(timeMicros),
  };
  const complete = (column: string): string => {
    if (column === labelId)
      return `toUInt32(transform(arrived.${labelId}, [${before}], [${after}], arrived.${labelId}))`;
    if (!Object.hasOwn(additions, column)) return `arrived.${column}`;
    const concatenate = column === words ? 'concat' : 'arrayConcat';
    return `${concatenate}(arrived.${column}, replaced.more_${column})`;
  };
  const more = Object.entries(additions).map(([column, sql]) => `${sql} AS more_${column}`);
  return `INSERT INTO ${table} (${insertColumns.join(', ')})
    SELECT ${insertColumns.map(complete).join(', ')}
    FROM (SELECT ${insertColumns.join(', ')} FROM ${table} WHERE ${labelId} IN (${before}) AND ${chosen}) AS arrived
    INNER JOIN (SELECT ${recordId}, ${more.join(', ')} FROM ${table} WHERE ${compileLabelPredicate(visible)} AND ${chosen}) AS replaced
    ON arrived.${recordId} = replaced.${recordId}`;
}
