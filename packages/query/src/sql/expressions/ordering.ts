import type { Expression } from '../expression.ts';
import { unsupportedSql } from '../sql-compile-error.ts';
import { printType, type SqlType } from '../types.ts';
import { intervalKey } from './datetime/interval-values.ts';

/** An element of ORDER BY of the engine. PostgreSQL takes NaN for greater than all other numbers. */
export function sortKey(e: Expression, descending: boolean, nullsFirst: boolean): string {
  const way = `${descending ? 'DESC' : 'ASC'} NULLS ${nullsFirst ? 'FIRST' : 'LAST'}`;
  const key = groupKey(e, 'ordering by');
  if (e.type.name === 'array') {
    // Downwards the engine takes NULL among the elements for the least.
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
 * Items of ORDER BY by which only values that are written alike are in a tie: both zeros of doubles are equal, and which of
 * them came first could tell of rows that were passed over.
 */
export function tieBreakers({ sql, type }: Pick<Expression, 'sql' | 'type'>): string[] {
  if (type.name === 'double precision') return [sql, bitsOf(sql)];
  if (type.name !== 'array' || type.element.name !== 'double precision') return [sql];
  return [sql, `arrayMap(l -> arrayMap(v -> ${bitsOf('v')}, l), ${sql})`];
}

/** Whether only values that are written alike are in a tie where rows are ordered by them. */
export const isUniqueSortKey = (e: Expression): boolean => e.type.name !== 'array' && groupKey(e) === e.sql;

/** A double as a whole number: different for both zeros. */
const bitsOf = (sql: string): string => `reinterpretAsInt64(${sql})`;

/**
 * Whether equal values of a type may be written in several ways that a key cannot be turned back into: a day and 24 hours are
 * equal. Where values are made one, the least of them stands for all, so that it does not depend on the order of rows.
 */
export const hasSeveralSpellings = ({ name }: SqlType): boolean => name === 'interval';

/** What equal values share: engine SQL of the value's type, unless it has many forms. */
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
 * The value that stands for all that are equal to it: engine SQL of the value's type.
 * @param least what gives the least of several values, for types that have many forms
 */
export function groupRepresentative(e: Expression, use: string, least: (sql: string) => string): string {
  const { sql, type, at } = e;
  if (type.name === 'array' && hasSeveralSpellings(type.element))
    throw unsupportedSql(`${use} ${printType(type)}`, at, 'Cast it to text first.');
  return hasSeveralSpellings(type) ? least(sql) : groupKey(e, use);
}

export interface SortKey {
  readonly expression: Expression;
  /** The same before a literal in quotes was taken for a text. */
  readonly written: Expression;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/**
 * Engine SQL, never NULL, whose ascending order is the order asked for, so that keys of several directions can be sorted
 * as one tuple.
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

/** The key of a value beside which no other stands in a tie. */
export function uniqueSortKey(expression: Expression): string {
  const key = ascendingSortKey({ expression, written: expression, descending: false, nullsFirst: false });
  const { sql, type } = expression;
  if (hasSeveralSpellings(type)) return `${key}, ifNull(${sql}, 0)`;
  return type.name === 'double precision' ? `${key}, ifNull(${bitsOf(sql)}, 0)` : key;
}

type KeyWriters = Partial<Record<SqlType['name'], (e: Expression, key: string) => string>>;

/** A double that is no NaN, beside whether it is one. */
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

/** The digits of the bytes turned round; the mark at the end, greater than all digits, puts a beginning after the whole. */
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
