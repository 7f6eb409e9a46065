import { quoteString } from '../../storage/quoting.ts';
import type { Expression } from '../expression.ts';
import { engineType, numericDigits, type SqlType } from '../types.ts';

/** Engine SQL of a value of a type's engine type. */
export const compileCastToEngineType = (sql: string, type: SqlType): string =>
  `CAST(${sql} AS ${engineType(type)})`;

/** NULL of a type; of an array, no array. */
export const nullSql = (type: SqlType): string =>
  compileCastToEngineType(type.name === 'array' ? '[]' : 'NULL', type);

/** A text in the engine, which may be null as any other value. */
export const textSql = (text: string): string => `CAST(${quoteString(text)} AS Nullable(String))`;

/**
 * Engine SQL that computes some values once and names them in a further piece. Names stand for values inside `body` alone;
 * nested ones must differ.
 */
export const letIn = (values: Readonly<Record<string, string>>, body: string): string => {
  const names = Object.keys(values);
  const lists = Object.values(values).map((sql) => `[${sql}]`);
  return `arrayMap((${names.join(', ')}) -> ${body}, ${lists.join(', ')})[1]`;
};

/** Up to this length an operand is written as often as it is used; longer ones are computed once and named. */
const shortest = 160;
const boundName = /\b_v\d/;

/**
 * Lets a piece of SQL use its operands several times without growing with each use: long ones become the parameters of
 * a lambda over arrays of one.
 */
export function letOperandsIn(operands: readonly string[], write: (...names: string[]) => string): string {
  const long = operands.filter((sql) => sql.length > shortest || boundName.test(sql));
  if (long.length === 0) return write(...operands);
  const names = operands.map((sql) => (long.includes(sql) ? `_v${String(long.indexOf(sql))}` : sql));
  const values = Object.fromEntries(long.map((sql, index) => [`_v${String(index)}`, sql]));
  return letIn(values, write(...names));
}

/** Ten to a power as a whole number of 256 bits. */
export const powerOfTen = (exponent: number): string => `toInt256('1${'0'.repeat(exponent)}')`;

/** A whole number, or NULL where it has the size of the bound or more. */
export const nullIfOutOfBounds = (sql: string, bound: string): string =>
  `nullIf(nullIf(greatest(least(${sql}, ${bound}), -${bound}), ${bound}), -${bound})`;

/** A double, or NULL where it is not finite: PostgreSQL says that it is out of range. All doubles here are finite. */
export const nullIfNotFinite = (sql: string): string =>
  letOperandsIn([sql], (value) => `if(isFinite(${value}), ${value}, NULL)`);

/** The most digits that a numeric can have. */
export const maxDigitsOf = (value: Expression): number =>
  Math.min(value.digits ?? numericDigits, numericDigits);
