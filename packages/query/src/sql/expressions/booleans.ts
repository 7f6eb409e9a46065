import type { Expression } from '../expression.ts';
import { unsupportedSql } from '../sql-compile-error.ts';
import { isIntegerType, toScalarType, type SqlType } from '../types.ts';
import { quoteString } from '../../storage/quoting.ts';
import { compileAssignmentCast, compileCast } from './casts.ts';
import { commonType } from './common-type.ts';
import { comparableSet, compare, type ComparableSet } from './comparisons.ts';
import { selectDisplayScale } from './numeric/numeric-scale.ts';
import { nullOf } from './literals.ts';

const boolean = toScalarType('boolean');

const truth = (sql: string, at: number): Expression => ({ sql, type: boolean, at });

/**
 * Makes a boolean nullable. Booleans such as IS NULL have an engine type without NULL, for which an outer join would
 * fill in false instead of NULL.
 */
export const nullable = (value: Expression): Expression =>
  value.type.name === 'boolean' ? { ...value, sql: `toNullable(${value.sql})` } : value;

const all = (values: readonly Expression[], word: 'AND' | 'OR', at: number): Expression => {
  const parts = values.map(
    (value) => compileAssignmentCast(value, boolean, value.at, `the argument of ${word}`).sql,
  );
  return truth(parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(` ${word} `)})`, at);
};

/** Compiles SQL's three-valued AND of one or more values. */
export const and = (values: readonly Expression[], at = values[0]?.at ?? 0): Expression =>
  all(values, 'AND', at);

export const or = (values: readonly Expression[], at = values[0]?.at ?? 0): Expression =>
  all(values, 'OR', at);

export const not = (value: Expression, at = value.at): Expression =>
  truth(`(NOT ${compileAssignmentCast(value, boolean, value.at, 'the argument of NOT').sql})`, at);

export const isNull = (value: Expression, at = value.at): Expression =>
  truth(value.type.name === 'array' ? `empty(${value.sql})` : `isNull(${value.sql})`, at);

/** Compiles a boolean to engine SQL for places where NULL counts as false, such as WHERE. */
export const compileTruthy = (value: Expression, clause: string): string =>
  compileAssignmentCast(value, boolean, value.at, `the condition of ${clause}`).sql;

const booleanTests: Readonly<Record<string, (sql: string) => string>> = {
  IS_TRUE: (sql) => `ifNull(${sql}, false)`,
  IS_NOT_TRUE: (sql) => `(NOT ifNull(${sql}, false))`,
  IS_FALSE: (sql) => `(NOT ifNull(${sql}, true))`,
  IS_NOT_FALSE: (sql) => `ifNull(${sql}, true)`,
  IS_UNKNOWN: (sql) => `isNull(${sql})`,
  IS_NOT_UNKNOWN: (sql) => `isNotNull(${sql})`,
};

/** Compiles IS TRUE and similar tests, which are never NULL. */
export function compileBooleanTest(value: Expression, test: string, at = value.at): Expression {
  const write = booleanTests[test];
  if (write === undefined)
    throw unsupportedSql(test.replaceAll('_', ' '), at, 'Use IS TRUE, IS FALSE, IS UNKNOWN or IS NULL.');
  return truth(write(compileAssignmentCast(value, boolean, value.at, 'the argument of IS').sql), at);
}

/** Compiles IS DISTINCT FROM: whether two values differ, where NULL equals NULL. */
export function isDistinctFrom(a: Expression, b: Expression, at: number): Expression {
  if (a.literal === null) return not(isNull(b, at), at);
  if (b.literal === null) return not(isNull(a, at), at);
  const differ = compare('<>', a, b, at);
  return truth(`ifNull(${differ.sql}, ${isNull(a).sql} != ${isNull(b).sql})`, at);
}

/** Compiles `value IN (list)` with a list of one or more values. */
export function compileInList(
  value: Expression,
  list: readonly Expression[],
  negated: boolean,
  at: number,
): Expression {
  const type = commonType([value, ...list], at, 'IN');
  const found =
    literalList(value, list, type, at) ??
    or(
      list.map((one) => compare('=', value, one, at)),
      at,
    );
  return negated ? not(found, at) : found;
}

/**
 * Compiles a list of only literals to a set lookup, because a chain of comparisons takes time that grows with the square
 * of its length. Returns undefined for other lists, and for types whose literals have no simple form.
 */
function literalList(
  value: Expression,
  list: readonly Expression[],
  type: SqlType,
  at: number,
): Expression | undefined {
  const literals = list.filter(({ literal }) => literal !== null);
  if (value.literal !== undefined || list.length < 2 || literals.length === 0) return undefined;
  const set =
    type.name === 'text' || isIntegerType(type)
      ? exactSet(value, literals, type)
      : comparableSet(value, literals, type);
  if (set === undefined) return undefined;
  const found = `(${set.value} IN (${set.members.join(', ')}))`;
  return truth(literals.length === list.length ? found : `if(${found}, true, NULL)`, at);
}

/** A set of texts or integers. */
function exactSet(
  value: Expression,
  literals: readonly Expression[],
  type: SqlType,
): ComparableSet | undefined {
  const members = literals.flatMap((one) => {
    // A cast of an integer to a larger type is no literal, but has the same digits.
    const { literal } = isIntegerType(one.type) ? one : compileCast(one, type, one.at);
    return typeof literal === 'string' ? [type.name === 'text' ? quoteString(literal) : literal] : [];
  });
  if (members.length < literals.length) return undefined;
  return { value: compileCast(value, type, value.at).sql, members };
}

/** Compiles CASE: the first value whose condition is true. */
export function caseWhen(
  branches: readonly { readonly when: Expression; readonly value: Expression }[],
  otherwise: Expression | undefined,
  at: number,
): Expression {
  const last = otherwise ?? nullOf({ name: 'unknown' }, at);
  const type = commonType([last, ...branches.map(({ value }) => value)], at, 'CASE');
  const conditions = branches.map(
    ({ when }) => compileAssignmentCast(when, boolean, when.at, 'the condition of CASE').sql,
  );
  const choose = (values: readonly string[]): string => {
    const parts = conditions.flatMap((condition, place) => [condition, values[place] ?? '']);
    return `multiIf(${[...parts, ...values.slice(conditions.length)].join(', ')})`;
  };
  const values = branches.map(({ value }) => value);
  const assigned = values.map((value) => compileAssignmentCast(value, type, value.at, 'a value of CASE').sql);
  const sql = choose([...assigned, compileAssignmentCast(last, type, last.at, 'the value of ELSE').sql]);
  return selectDisplayScale({ sql, type, at }, [...values, last], (digits) =>
    choose(digits.map((each) => `toInt64(ifNull(${each}, 0))`)),
  );
}
