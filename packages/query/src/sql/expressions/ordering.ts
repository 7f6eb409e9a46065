import type { Expression } from '../expression.ts';
import { unsupportedSql } from '../sql-compile-error.ts';
import { printType, type SqlType } from '../types.ts';
import { intervalKey } from './datetime/interval-values.ts';

/** Compiles an item of the engine's ORDER BY. In PostgreSQL, NaN is greater than all other numbers. */
export function sortKey(e: Expression, descending: boolean, nullsFirst: boolean): string {
  const way = `${descending ? 'DESC' : 'ASC'} NULLS ${nullsFirst ? 'FIRST' : 'LAST'}`;
  const key = groupKey(e, 'ordering by');
  if (e.type.name === 'array') {
    // In descending order the engine sorts NULL elements last, where PostgreSQL sorts them first.
    if (descending)
      throw unsupportedSql(
        `ordering by ${printType(e.type)} downwards`,
        e.at,
        'Order by array_to_string, or upwards.',
      );
    return `empty(${e.sql}) ${nullsFirst ? 'DESC' : 'ASC'}, ${key} ASC`;
  }
  return e.type.name === 'double precision' ? `isNaN(${e.sql}) ${way}, ${key} ${way}` : `${key} ${way}`;
}

/**
 * Returns items of ORDER BY that distinguish equal values with different notation, such as 0 and -0. Without them, the
 * order of such values could disclose hidden rows.
 */
export function tieBreakers({ sql, type }: Pick<Expression, 'sql' | 'type'>): string[] {
  if (type.name === 'double precision') return [sql, bitsOf(sql)];
  if (type.name !== 'array' || type.element.name !== 'double precision') return [sql];
  return [sql, `arrayMap(l -> arrayMap(v -> ${bitsOf('v')}, l), ${sql})`];
}

/** Whether only values with the same notation tie in an order by this expression. */
export const isUniqueSortKey = (e: Expression): boolean => e.type.name !== 'array' && groupKey(e) === e.sql;

/** The bits of a double as an integer, which differ for 0 and -0. */
const bitsOf = (sql: string): string => `reinterpretAsInt64(${sql})`;

/**
 * Whether equal values of a type can differ in notation, and their key cannot be converted back to a value. For
 * example, an interval of one day equals 24 hours. When equal values are merged, the smallest represents them, so that
 * the result does not depend on the order of rows.
 */
export const hasSeveralSpellings = ({ name }: SqlType): boolean => name === 'interval';

/** Returns a key that is the same for equal values. It has the type of the value, unless `hasSeveralSpellings`. */
export function groupKey(e: Expression, use = 'grouping by'): string {
  if (e.type.name === 'jsonb')
    throw unsupportedSql(`${use} jsonb`, e.at, 'Cast it to text first, as in o::text.');
  if (e.type.name === 'array') {
    const element = groupKey({ sql: 'v', type: e.type.element, at: e.at }, use);
    return element === 'v' ? e.sql : `arrayMap(l -> arrayMap(v -> ${element}, l), ${e.sql})`;
  }
  if (e.type.name === 'interval') return intervalKey(e.sql);
  return e.type.name === 'double precision' ? `if(${e.sql} = 0, 0, ${e.sql})` : e.sql;
}

/**
 * The value that represents all equal values: engine SQL of the value's type.
 * @param least builds the minimum of several values, for types with several notations
 */
export function groupRepresentative(e: Expression, use: string, least: (sql: string) => string): string {
  const { sql, type, at } = e;
  if (type.name === 'array' && hasSeveralSpellings(type.element))
    throw unsupportedSql(`${use} ${printType(type)}`, at, 'Cast it to text first.');
  return hasSeveralSpellings(type) ? least(sql) : groupKey(e, use);
}

export interface SortKey {
  readonly expression: Expression;
  /** The expression before a string literal got the type text. */
  readonly written: Expression;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/**
 * Compiles engine SQL, never NULL, whose ascending order is the requested order, so that keys of different directions
 * can be sorted as one tuple.
 */
export function ascendingSortKey({ expression, descending, nullsFirst }: SortKey): string {
  if (expression.type.name === 'array')
    throw unsupportedSql(
      `ordering by ${printType(expression.type)} here`,
      expression.at,
      'Order by array_to_string.',
    );
  const { sql } = expression;
  const absent = `isNull(${sql})`;
  return `${nullsFirst ? `NOT ${absent}` : absent}, ${descending ? descendingValue(expression) : ascendingValue(expression)}`;
}

/** A sort key that distinguishes all values. */
export function uniqueSortKey(expression: Expression): string {
  const key = ascendingSortKey({ expression, written: expression, descending: false, nullsFirst: false });
  const { sql, type } = expression;
  if (hasSeveralSpellings(type)) return `${key}, ifNull(${sql}, 0)`;
  return type.name === 'double precision' ? `${key}, ifNull(${bitsOf(sql)}, 0)` : key;
}

type KeyWriters = Partial<Record<SqlType['name'], (e: Expression, key: string) => string>>;

/** The key of a double; 0 for NaN and NULL, which a key before this one sorts. */
const number = ({ sql }: Expression, key: string): string =>
  `if(isFinite(${sql}) OR isInfinite(${sql}), assumeNotNull(${key}), 0)`;

const micros = (_e: Expression, key: string): string => `ifNull(toUnixTimestamp64Micro(${key}), 0)`;
const characters = (_e: Expression, key: string): string => `ifNull(${key}, '')`;

const ascendingWriters: KeyWriters = {
  'double precision': (e, key) => `ifNull(isNaN(${e.sql}), false), ${number(e, key)}`,
  timestamp: micros,
  timestamptz: micros,
  date: (_e, key) => `ifNull(toInt32(${key}), 0)`,
  text: characters,
  unknown: characters,
};

function ascendingValue(e: Expression): string {
  const key = groupKey(e, 'ordering by');
  return ascendingWriters[e.type.name]?.(e, key) ?? `ifNull(${key}, 0)`;
}

/**
 * Compiles a text whose ascending order is the descending order of the values: their bytes as hexadecimal digits, each
 * digit inverted. The final character is greater than all digits, so that a prefix comes after the longer text.
 */
const turnedText = (e: Expression): string =>
  `concat(translate(hex(${ascendingValue(e)}), '0123456789ABCDEF', 'FEDCBA9876543210'), 'G')`;

const descendingWriters: KeyWriters = {
  'double precision': (e, key) => `NOT ifNull(isNaN(${e.sql}), false), -${number(e, key)}`,
  text: turnedText,
  unknown: turnedText,
  boolean: (e) => `NOT ${ascendingValue(e)}`,
  numeric: (e) => `-${ascendingValue(e)}`,
};

const descendingValue = (e: Expression): string =>
  descendingWriters[e.type.name]?.(e, groupKey(e, 'ordering by')) ?? `bitNot(${ascendingValue(e)})`;
