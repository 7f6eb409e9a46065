import { quoteString } from '../../storage/quoting.ts';
import type { Expression } from '../expression.ts';
import { engineType, numericDigits, type SqlType } from '../types.ts';

/** Casts engine SQL to the engine type of a SQL type. */
export const compileCastToEngineType = (sql: string, type: SqlType): string =>
  `CAST(${sql} AS ${engineType(type)})`;

/** NULL of a type. For arrays it is the empty outer list. */
export const nullSql = (type: SqlType): string =>
  compileCastToEngineType(type.name === 'array' ? '[]' : 'NULL', type);

/** A text constant with a nullable engine type. */
export const textSql = (text: string): string => `CAST(${quoteString(text)} AS Nullable(String))`;

/**
 * Binds values to names that `body` can use, so that each is computed once. Nested calls must use different names.
 *
 *     letIn({ v: 'length(name)' }, 'v * v') // SQL of the square, in which length(name) occurs once
 */
export const letIn = (values: Readonly<Record<string, string>>, body: string): string => {
  const names = Object.keys(values);
  const lists = Object.values(values).map((sql) => `[${sql}]`);
  return `arrayMap((${names.join(', ')}) -> ${body}, ${lists.join(', ')})[1]`;
};

/** Operands up to this length are repeated at each use. Longer ones are computed once and bound to a name. */
const shortest = 160;
const boundName = /\b_v\d/;

/**
 * Builds SQL that uses its operands several times without growing with each use: long operands become parameters of a
 * lambda on arrays of one element.
 */
export function letOperandsIn(operands: readonly string[], write: (...names: string[]) => string): string {
  const long = operands.filter((sql) => sql.length > shortest || boundName.test(sql));
  if (long.length === 0) return write(...operands);
  const names = operands.map((sql) => (long.includes(sql) ? `_v${String(long.indexOf(sql))}` : sql));
  const values = Object.fromEntries(long.map((sql, index) => [`_v${String(index)}`, sql]));
  return letIn(values, write(...names));
}

/** A power of ten as Int256. */
export const powerOfTen = (exponent: number): string => `toInt256('1${'0'.repeat(exponent)}')`;

/** An integer, or NULL if its absolute value reaches the bound. */
export const nullIfOutOfBounds = (sql: string, bound: string): string =>
  `nullIf(nullIf(greatest(least(${sql}, ${bound}), -${bound}), ${bound}), -${bound})`;

/** Returns a double, or NULL if it is not finite: its arguments are finite, so PostgreSQL would report an overflow. */
export const nullIfNotFinite = (sql: string): string =>
  letOperandsIn([sql], (value) => `if(isFinite(${value}), ${value}, NULL)`);

/** The maximum precision of a numeric. */
export const maxDigitsOf = (value: Expression): number =>
  Math.min(value.digits ?? numericDigits, numericDigits);
