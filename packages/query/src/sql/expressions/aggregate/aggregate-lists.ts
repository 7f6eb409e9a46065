import { quoteString } from '../../../storage/quoting.ts';
import type { AggregateParts } from './aggregate-call.ts';
import { ascendingSortKey, uniqueSortKey } from '../ordering.ts';
import type { Expression } from '../../expression.ts';
import { printJsonbText } from '../json/print-json.ts';

/**
 * Compiles the values of a group as an array of tuples, sorted by ORDER BY and then by the values, so that the result
 * does not depend on the order of rows. The values start at the tuple index `first`.
 */
function sortedRows(
  { run, orderBy }: Pick<AggregateParts, 'run' | 'orderBy'>,
  values: readonly Expression[],
  where: string | undefined,
): { rows: string; value: (index: number) => string } {
  const keys = [...orderBy.map(ascendingSortKey), ...values.map(uniqueSortKey)];
  const tuple = `tuple(${[`tuple(${keys.join(', ')})`, ...values.map(({ sql }) => sql)].join(', ')})`;
  const rows =
    where === undefined ? run('groupArray', tuple) : run('groupArrayIf', `${tuple}, ifNull(${where}, false)`);
  return { rows: `arraySort(${rows})`, value: (index) => `t.${String(index + 2)}` };
}

export function arrayAgg(parts: AggregateParts): string {
  const { rows, value } = sortedRows(parts, [parts.args[0]], parts.filter);
  return `arrayFilter(a -> notEmpty(a), [arrayMap(t -> ${value(0)}, ${rows})])`;
}

/** Compiles jsonb_agg: the values as a JSON array, with NULL as null. */
export function jsonbAgg(parts: AggregateParts): string {
  const [list] = parts.args;
  const { rows, value } = sortedRows(parts, [list], parts.filter);
  const elements = `arrayMap(t -> ${printJsonbText({ ...list, sql: value(0) })}, l)`;
  const array = `concat('[', arrayStringConcat(${elements}, ', '), ']')`;
  return `arrayElement(arrayMap(l -> if(empty(l), NULL, toNullable(${array})), [${rows}]), 1)`;
}

export function stringAgg(parts: AggregateParts): string {
  const [text, delimiter = text] = parts.args;
  if (typeof delimiter.literal === 'string') {
    const { rows, value } = sortedRows(parts, [text], `isNotNull(${text.sql})`);
    const texts = `arrayMap(t -> assumeNotNull(${value(0)}), ${rows})`;
    return `arrayElement(arrayMap(l -> if(empty(l), NULL, toNullable(arrayStringConcat(l, ${quoteString(delimiter.literal)}))), [${texts}]), 1)`;
  }
  const { rows, value } = sortedRows(parts, [text, delimiter], `isNotNull(${text.sql})`);
  const pieces = `arrayMap((t, i) -> if(i = 1, ifNull(${value(0)}, ''), concat(ifNull(${value(1)}, ''), ifNull(${value(0)}, ''))), l, arrayEnumerate(l))`;
  return `arrayElement(arrayMap(l -> if(empty(l), NULL, toNullable(arrayStringConcat(${pieces}))), [${rows}]), 1)`;
}
