import { isCanonicalNumber } from '../columns/typed-values.ts';
import type { SampleRecord } from './sample-record.ts';

/** Values that cannot be names: numbers in any form, dates, times and booleans. */
const value =
  /^\s*(?:[+-]?[0-9][0-9.,' ]*(?:[eE][+-]?[0-9]+)?%?|[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}(?:[T ].*)?|[0-9]{1,2}:[0-9]{2}.*|true|false)\s*$/i;

/**
 * Whether the first row names the columns. It does when a column of values has a name in it, or when all of it could be
 * names: distinct texts. It does not when it has a value where the column has values.
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
