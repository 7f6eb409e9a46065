import type { Expression } from '../expression.ts';
import { invalidSql, unsupportedSql } from '../sql-compile-error.ts';
import { isIntegerType, numericDigits, toScalarType, printType, type SqlType } from '../types.ts';
import { compileCast } from './casts.ts';
import { commonTypeOrNone } from './common-type.ts';
import { groupKey, hasSeveralSpellings } from './ordering.ts';
import { unscaledAtScale, scaleOf } from './numeric/numeric-scale.ts';
import { maxDigitsOf } from './engine-sql.ts';

export const comparisonNames: ReadonlySet<string> = new Set(['=', '<>', '!=', '<', '<=', '>', '>=']);

const incomparable: Partial<Record<SqlType['name'], true>> = { jsonb: true };

/** Compiles a comparison of two values, cast to a common type. The engine type of the result is UInt8 or Bool. */
export function compare(operator: string, left: Expression, right: Expression, at: number): Expression {
  const type = commonTypeOrNone([left, right]);
  if (type === undefined) {
    throw invalidSql(
      `the operator ${printType(left.type)} ${operator} ${printType(right.type)} does not exist`,
      at,
    );
  }
  if (incomparable[type.name] === true)
    throw unsupportedSql(
      `the comparison of ${printType(type)}`,
      at,
      "Cast both to text, or compare a member, as in o ->> 'a'.",
    );
  const [a, b] = [compileCast(left, type, left.at), compileCast(right, type, right.at)];
  const sign = operator === '<>' ? '!=' : operator;
  if (type.name === 'array') {
    const test = `${groupKey(a, 'comparing')} ${sign} ${groupKey(b, 'comparing')}`;
    return {
      sql: `if(empty(${a.sql}) OR empty(${b.sql}), NULL, ${test})`,
      type: toScalarType('boolean'),
      at,
    };
  }
  const [first, second] =
    type.name === 'numeric'
      ? comparableNumerics(left, right, type.scale)
      : [a, b].map(
          sign === '=' && left.literal === undefined && right.literal === undefined ? equatable : comparable,
        );
  return { sql: `(${first} ${sign} ${second})`, type: toScalarType('boolean'), at };
}

const comparable = (value: Expression): string =>
  hasSeveralSpellings(value.type) ? groupKey(value, 'comparing') : value.sql;

/**
 * Gives 0 and -0 the same notation, because in some places, such as joins, the engine compares values by their bits.
 */
const equatable = (value: Expression): string =>
  value.type.name === 'double precision' ? `(${value.sql} + 0.)` : comparable(value);

/**
 * Converts two numerics to SQL of the same scale for a comparison. Values that do not fit at that scale
 * still compare correctly.
 */
function comparableNumerics(left: Expression, right: Expression, scale: number): [string, string] {
  const [a, b] = [left, right].map((value) => asNumeric(value, scale)) as [Expression, Expression];
  const fit = [a, b].every((value) => maxDigitsOf(value) + scale - scaleOf(value) <= numericDigits);
  return fit
    ? [
        compileCast(a, { name: 'numeric', scale }, a.at).sql,
        compileCast(b, { name: 'numeric', scale }, b.at).sql,
      ]
    : [unscaledAtScale(a, scale), unscaledAtScale(b, scale)];
}

/** The SQL of `value IN (members)`. */
export interface ComparableSet {
  value: string;
  members: string[];
}

/**
 * Converts a value and number literals for a set lookup that has the results of `compare`. Returns undefined for other
 * literals and other types, and if the numbers do not fit into one type.
 */
export function comparableSet(
  value: Expression,
  literals: readonly Expression[],
  type: SqlType,
): ComparableSet | undefined {
  if (!literals.every(isNumberLiteral)) return undefined;
  if (type.name === 'double precision') {
    const operand = compileCast(value, type, value.at).sql;
    // 0 and -0 are equal, and the engine compares the members of a set by their bits.
    return { value: `(${operand} + 0.)`, members: literals.map((one) => `(${doubleOf(one)} + 0.)`) };
  }
  if (type.name !== 'numeric') return undefined;
  const pairs = literals.map((one) => comparableNumerics(value, one, type.scale));
  const [operand] = pairs[0] ?? [];
  if (operand === undefined || pairs.some(([own]) => own !== operand)) return undefined;
  return { value: operand, members: pairs.map(([, number]) => number) };
}

const isNumberLiteral = ({ literal, type }: Expression): boolean =>
  typeof literal === 'string' && (isIntegerType(type) || type.name === 'numeric');

/** A number literal as a double; short whole numbers need no cast. */
const doubleOf = (one: Expression): string =>
  isIntegerType(one.type) && Number.isSafeInteger(Number(one.literal))
    ? `${String(one.literal)}.`
    : compileCast(one, toScalarType('double precision'), one.at).sql;

const asNumeric = (value: Expression, scale: number): Expression =>
  isIntegerType(value.type) || value.type.name === 'unknown'
    ? compileCast(value, { name: 'numeric', scale }, value.at)
    : value;
