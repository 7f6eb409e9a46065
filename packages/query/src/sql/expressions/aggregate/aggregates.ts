import { invalidSql, unsupportedSql } from '../../sql-compile-error.ts';
import { insteadOfFunction } from '../../instead.ts';
import type { Expression } from '../../expression.ts';
import {
  engineType,
  numericType,
  toScalarType,
  printType,
  type ElementType,
  type SqlType,
} from '../../types.ts';
import type { AggregateParameter, AggregateRule, AggregateCall } from './aggregate-call.ts';
import { aggregateRules, unsupportedAggregates } from './aggregate-rules.ts';
import type { RenderAggregateCall } from './aggregate-sums.ts';
import { signature } from '../apply-overload.ts';
import { compileAssignmentCast, requireKnownType, resolveUnknownLiteral } from '../casts.ts';
import { typeCategory, isPreferred, isImplicitCast } from '../implicit-casts.ts';
import { groupKey, hasSeveralSpellings } from '../ordering.ts';
import { nullable } from '../booleans.ts';

export type { AggregateCall } from './aggregate-call.ts';

const names = new Set([...aggregateRules.map(({ name }) => name), ...unsupportedAggregates]);

/** Whether a name is an aggregate, supported or not. */
export const isAggregate = (name: string): boolean => names.has(name);

/** The engine's aggregates that count each value once. */
const distinctNames: Record<string, string> = {
  sum: 'sumDistinct',
  count: 'uniqExact',
  groupArray: 'groupUniqArray',
  groupArrayIf: 'groupUniqArrayIf',
  groupBitXor: 'groupBitXorDistinct',
};

const runOf = (distinct: boolean, over: string | undefined): RenderAggregateCall =>
  Object.assign(
    (name: string, argument: string) =>
      `${distinct ? (distinctNames[name] ?? name) : name}(${argument})${over === undefined ? '' : ` OVER ${over}`}`,
    { distinct },
  );

/**
 * Compiles a call of an aggregate on the rows of a group.
 * @throws SqlCompileError for invalid arguments and for unsupported aggregates
 */
export const callAggregate = (use: AggregateCall): Expression => compileAggregate(use, undefined);

/** @param over the window definition in parentheses, if the aggregate is a window function */
export function compileAggregate(use: AggregateCall, over: string | undefined): Expression {
  const { name, at, filter } = use;
  if (unsupportedAggregates.has(name))
    throw unsupportedSql(`the aggregate ${name}`, at, insteadOfFunction(name));
  if (use.star) return countRows(use, over);
  const given = use.withinGroup ? [...use.args, ...use.orderBy.map(({ written }) => written)] : use.args;
  const { rule, types } = choose(use, given);
  const args = given.map((arg, index) =>
    prepare(
      withLiteral(
        compileAssignmentCast(arg, types[index] ?? arg.type, arg.at, `an argument of ${name}`),
        arg,
      ),
      use,
    ),
  );
  const [first, ...rest] = args;
  if (first === undefined) throw doesNotExist(use, given);
  const parts = {
    run: runOf(use.distinct, over),
    args: [first, ...rest] as const,
    orderBy: use.orderBy,
    filter: filter?.sql,
    use,
  };
  const type = typeof rule.result === 'function' ? rule.result(parts.args) : rule.result;
  const sql = `CAST(${rule.emit(parts)} AS ${engineType(type)})`;
  const digits = rule.rowScale?.(parts);
  return { sql, type, at, ...(digits === undefined ? {} : { rowScale: { of: sql, digits } }) };
}

/** Keeps the literal of an argument, because rules read delimiters and fractions from it. */
const withLiteral = (assigned: Expression, { literal }: Expression): Expression =>
  literal === undefined ? assigned : { ...assigned, literal };

function countRows(
  { filter, at, name, distinct, orderBy }: AggregateCall,
  over: string | undefined,
): Expression {
  if (name !== 'count') throw invalidSql(`${name}(*) does not exist: only count(*) counts rows`, at);
  if (distinct || orderBy.length > 0) throw invalidSql('count(*) takes neither DISTINCT nor ORDER BY', at);
  const run = runOf(false, over);
  const count = filter === undefined ? run('count', '') : run('countIf', `ifNull(${filter.sql}, false)`);
  return { sql: `CAST(${count} AS Nullable(Int64))`, type: toScalarType('bigint'), at };
}

/**
 * Prepares an argument: rows that FILTER excludes get NULL, and with DISTINCT equal values get the same notation, so
 * that they count once.
 */
function prepare(given: Expression, { name, filter, distinct }: AggregateCall): Expression {
  const arg = nullable(given);
  const sql = distinct ? distinctKey(arg, name) : arg.sql;
  // The literal of a delimiter or fraction is the same for all rows. array_agg handles the condition itself.
  if (filter === undefined || name === 'array_agg') return { ...arg, sql };
  const nothing = arg.type.name === 'array' ? '[]' : 'NULL';
  return { ...arg, sql: `if(${filter.sql}, ${sql}, ${nothing})` };
}

function distinctKey(arg: Expression, name: string): string {
  const { type, at } = arg;
  if (!hasSeveralSpellings(type.name === 'array' ? type.element : type) || name === 'count') {
    return groupKey(arg, 'DISTINCT on');
  }
  // For other aggregates, the result would depend on which of several equal values is kept.
  if (name !== 'max' && name !== 'min')
    throw unsupportedSql(
      `${name} with DISTINCT of ${printType(type)}`,
      at,
      'Take the values out of SELECT DISTINCT in a subquery.',
    );
  return arg.sql;
}

function choose(use: AggregateCall, given: readonly Expression[]): { rule: AggregateRule; types: SqlType[] } {
  const { name, at, withinGroup, distinct, orderBy } = use;
  const rules = aggregateRules.filter((rule) => rule.name === name);
  const needsGroup = rules.some((rule) => rule.withinGroup === true);
  if (needsGroup !== withinGroup) {
    throw invalidSql(
      needsGroup ? `${name} needs WITHIN GROUP (ORDER BY ...)` : `${name} does not take WITHIN GROUP`,
      at,
    );
  }
  if (
    distinct &&
    !withinGroup &&
    orderBy.some(({ expression }) => given.every(({ sql }) => sql !== expression.sql))
  ) {
    throw invalidSql('in an aggregate with DISTINCT, ORDER BY may only name its arguments', at);
  }
  const fitting = rules.filter(({ parameters }) => parameters.length === given.length);
  const exact = fitting.find(({ parameters }) =>
    given.every(({ type }, index) => isExactly(type, parameters[index])),
  );
  const loose = fitting.filter(({ parameters }) =>
    given.every(({ type }, index) => canBecome(type, parameters[index])),
  );
  if (
    exact === undefined &&
    (isUnclear(loose, given) || (loose.length > 0 && hasUnclearFraction(use, given)))
  ) {
    throw invalidSql(`${construct(use, given)} is not unique: cast its arguments`, at);
  }
  const preferred = loose.find(({ parameters }) => parameters.includes('double precision')) ?? loose[0];
  const rule = exact ?? preferred;
  if (rule === undefined) {
    if (withinGroup && given[0]?.type.name === 'array')
      throw unsupportedSql(`${name} of several fractions`, at, 'Write the aggregate once for each fraction.');
    throw doesNotExist(use, given);
  }
  return { rule, types: given.map((arg, index) => parameterType(arg, rule.parameters[index])) };
}

const construct = ({ name }: AggregateCall, given: readonly Expression[]): string =>
  `the aggregate ${signature(name, given)}`;

const doesNotExist = (use: AggregateCall, given: readonly Expression[]): Error =>
  invalidSql(`${construct(use, given)} does not exist`, use.at);

/**
 * Whether PostgreSQL cannot choose an overload, because all arguments are string literals and several types fit them.
 */
function isUnclear(rules: readonly AggregateRule[], given: readonly Expression[]): boolean {
  if (rules.length < 2 || given.some(({ type }) => type.name !== 'unknown')) return false;
  const types = rules.flatMap(({ parameters: [type] }) => (isOneType(type) ? [type] : []));
  return new Set(types.map(typeCategory)).size > 1 || !types.some(isPreferred);
}

/**
 * Whether the fraction of a percentile could also be a list of fractions. PostgreSQL gives a string literal the type of
 * the other argument, so the fraction is unambiguous only if that type has an implicit cast to the type of a fraction.
 */
function hasUnclearFraction({ withinGroup }: AggregateCall, given: readonly Expression[]): boolean {
  const [fraction, value] = given;
  return (
    withinGroup &&
    value !== undefined &&
    fraction?.type.name === 'unknown' &&
    (value.type.name === 'unknown' || !canBecome(value.type, 'double precision'))
  );
}

const isOneType = (parameter: AggregateParameter | undefined): parameter is ElementType['name'] =>
  parameter !== undefined && !['any', 'array', 'ordered', 'typed'].includes(parameter);

const orderedTypes: ReadonlySet<SqlType['name']> = new Set<SqlType['name']>([
  'smallint',
  'integer',
  'bigint',
  'numeric',
  'double precision',
  'text',
  'unknown',
  'date',
  'timestamp',
  'timestamptz',
  'interval',
]);

function isExactly(type: SqlType, parameter: AggregateParameter | undefined): boolean {
  if (parameter === 'any' || parameter === 'typed') return true;
  if (parameter === 'ordered') return orderedTypes.has(type.name);
  return type.name === parameter || (type.name === 'unknown' && parameter === 'text');
}

const canBecome = (type: SqlType, parameter: AggregateParameter | undefined): boolean =>
  isExactly(type, parameter) || (isOneType(parameter) && isImplicitCast(type.name, parameter));

function parameterType(arg: Expression, parameter: AggregateParameter | undefined): SqlType {
  if (parameter === 'typed' || parameter === 'ordered') return requireKnownType(arg).type;
  if (parameter === undefined || parameter === 'any' || parameter === 'array')
    return resolveUnknownLiteral(arg).type;
  if (parameter === 'numeric') return arg.type.name === 'numeric' ? arg.type : numericType(0);
  return toScalarType(parameter);
}
