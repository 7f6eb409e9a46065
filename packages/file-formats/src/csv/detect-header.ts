import { isCanonicalNumber } from '../columns/typed-values.ts';

/** A record of the sample. */
export interface SampleRecord {
  readonly cells: readonly string[];
  readonly quoted: readonly boolean[] | undefined;
}

/** Values that cannot be names: numbers in any form, dates, times and booleans. */
const value =
  /^\s*(?:[+-]?[0-9][0-9.,' ]*(?:[eE][+-]?[0-9]+)?%?|[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}(?:[T ].*)?|[0-9]{1,2}:[0-9]{2}.*|true|false)\s*$/i;

/**
 * Whether the first row is a header. A name above a column of values is evidence for a header, and a value above such a
 * column is evidence against it. If both are equally frequent, the row is a header if its cells are distinct and not
 * all of them are numbers.
 */
export function looksLikeHeader(records: readonly SampleRecord[]): boolean {
  const [first, ...rest] = records;
  if (first === undefined) return true;
  let names = 0;
  let values = 0;
  for (const [index, cell] of first.cells.entries()) {
    const column = rest.map(({ cells }) => cells[index] ?? '').filter((text) => text !== '');
    const isColumnOfValues = column.length > 0 && column.every((text) => value.test(text));
    if (value.test(cell)) values += isColumnOfValues || column.length === 0 ? 1 : 0;
    else if (isColumnOfValues && cell !== '') names++;
  }
  if (names !== values) return names > values;
  const filled = first.cells.filter((cell) => cell.trim() !== '');
  return filled.length > 0 && new Set(filled).size === filled.length && !filled.every(isCanonicalNumber);
}
