import type { FuncCall, Node, WindowDef } from 'libpg-query';
import { memoizeScale } from '../expressions/numeric/numeric-scale.ts';
import { callAggregate, isAggregate } from '../expressions/aggregate/aggregates.ts';
import { groupKey } from '../expressions/ordering.ts';
import { compileCurrentTimestamp } from '../expressions/datetime/dates.ts';
import { requireKnownType } from '../expressions/casts.ts';
import { callFunction } from '../expressions/functions.ts';
import { isSetReturning } from '../expressions/set-returning-functions.ts';
import { compileTruthy } from '../expressions/booleans.ts';
import { compileWindowCall, needsTotalOrder } from '../expressions/aggregate/windows.ts';
import type { Expression } from '../expression.ts';
import { invalidSql, unsupportedSql } from '../sql-compile-error.ts';
import { toScalarType, type SqlType } from '../types.ts';
import {
  trackRelations,
  type Compilation,
  type GroupAggregate,
  type Grouping,
  type Scope,
} from './compilation-context.ts';
import { compileExpression } from './statement-compilers.ts';
import { frameOf } from './window-frames.ts';
import type { Relation } from './relation.ts';
import { sortItem, type SortItem } from './sort-item.ts';
import { builtInName, requireKnownFields } from './syntax.ts';

const plainFields = ['funcname', 'args', 'funcformat', 'location'];
const aggregateFields = [
  ...plainFields,
  'agg_star',
  'agg_distinct',
  'agg_filter',
  'agg_order',
  'agg_within_group',
];

/** now() and similar functions, which return the same time everywhere in a statement. */
const clockFunctions: Record<string, 'timestamptz'> = {
  now: 'timestamptz',
  transaction_timestamp: 'timestamptz',
  statement_timestamp: 'timestamptz',
};

export function compileCall(call: FuncCall, scope: Scope, at: number): Expression {
  const name = builtInName(call.funcname, 'the function', at);
  if (call.over !== undefined) return windowCall(name, call, call.over, scope, at);
  if (isSetReturning(name))
    throw invalidSql(`set-returning functions are not allowed in ${scope.place.clause}`, at);
  if (isAggregate(name)) return aggregateCall(name, call, scope, at);
  requireKnownFields(call, plainFields, `the function ${name}`, at);
  const clock = clockFunctions[name];
  if (clock !== undefined && (call.args ?? []).length === 0)
    return compileCurrentTimestamp(clock, scope.compilation.now, at);
  const args = argumentsOf(call, scope, at);
  const [moment] = args;
  // With one argument, age counts from the start of the current day.
  if (name === 'age' && moment !== undefined && args.length === 1)
    return callFunction(
      name,
      [compileCurrentTimestamp('date', scope.compilation.now, at), requireKnownType(moment)],
      at,
    );
  return callFunction(name, args, at);
}

const argumentsOf = ({ args = [] }: FuncCall, scope: Scope, at: number): Expression[] =>
  args.map((node) => {
    if ('NamedArgExpr' in node)
      throw unsupportedSql('a named argument', at, 'Give the arguments by their order.');
    return compileExpression(node, scope);
  });

function aggregateCall(name: string, call: FuncCall, scope: Scope, at: number): Expression {
  requireKnownFields(call, aggregateFields, `the aggregate ${name}`, at);
  const { grouping, place } = scope;
  if (!place.aggregates || grouping === undefined) {
    if (scope.outer !== undefined)
      throw unsupportedSql(
        `an aggregate in ${place.clause} of a subquery`,
        at,
        'Take the aggregate in a subquery of its own, in FROM or WITH.',
      );
    throw invalidSql(`aggregate functions are not allowed in ${place.clause}`, at);
  }
  const rows: Scope = {
    ...grouping.rows,
    place: { clause: 'the arguments of an aggregate function', aggregates: false, windows: false },
  };
  const { result, touched } = trackRelations(scope.compilation, () => ({
    filter: filterOf(call, rows),
    args: argumentsOf(call, rows, at),
    orderBy: sortItems(call.agg_order, rows),
  }));
  const { filter, args, orderBy } = result;
  // In PostgreSQL, an aggregate belongs to the innermost query whose columns it uses.
  const names = (relations: readonly Relation[]): boolean => relations.some(({ id }) => touched.has(id));
  if (!names(rows.relations) && queriesAround(scope).some(({ relations }) => names(relations))) {
    throw unsupportedSql(
      'an aggregate of columns of the query around it',
      at,
      'Take the aggregate in the query whose columns it names.',
    );
  }
  const { sql, type, rowScale } = callAggregate({
    name,
    args,
    star: call.agg_star === true,
    distinct: call.agg_distinct === true,
    ...(filter === undefined ? {} : { filter }),
    orderBy,
    withinGroup: call.agg_within_group === true,
    at,
  });
  const isCount = name === 'count' || name === 'regr_count';
  const column = (value: string, of: SqlType): string =>
    aggregateColumn(grouping, { sql: value, type: of, isCount }, scope.compilation);
  const own = column(sql, type);
  if (rowScale === undefined) return { sql: own, type, at };
  // Adds a column with the scale to the groups, but only if the scale is requested.
  const digits = (): string => column(`CAST(${rowScale.digits} AS Nullable(Int64))`, toScalarType('bigint'));
  return { sql: own, type, at, rowScale: memoizeScale(own, digits) };
}

/** Returns the column name of an aggregate in the groups, and adds the aggregate if it is new. */
function aggregateColumn(
  { aggregates }: Grouping,
  value: Omit<GroupAggregate, 'name'>,
  compilation: Compilation,
): string {
  const known = aggregates.find(({ sql }) => sql === value.sql);
  if (known !== undefined) return known.name;
  const name = compilation.name();
  aggregates.push({ ...value, name });
  return name;
}

const queriesAround = ({ outer }: Scope): Scope[] =>
  outer === undefined ? [] : [outer, ...queriesAround(outer)];

const filterOf = ({ agg_filter: node }: FuncCall, scope: Scope): Expression | undefined => {
  if (node === undefined) return undefined;
  const value = compileExpression(node, scope);
  return { sql: compileTruthy(value, 'FILTER'), type: toScalarType('boolean'), at: value.at };
};

const sortItems = (nodes: readonly Node[] | undefined, scope: Scope): SortItem[] =>
  (nodes ?? []).map((node) => {
    if (!('SortBy' in node) || node.SortBy.node === undefined) throw new Error('ORDER BY holds its items.');
    return sortItem(node.SortBy, compileExpression(node.SortBy.node, scope));
  });

function windowCall(name: string, call: FuncCall, over: WindowDef, scope: Scope, at: number): Expression {
  requireKnownFields(call, [...aggregateFields.slice(0, -2), 'over'], `the window function ${name}`, at);
  if (!scope.place.windows) throw invalidSql(`window functions are not allowed in ${scope.place.clause}`, at);
  const inside: Scope = {
    ...scope,
    place: {
      clause: 'the arguments of a window function',
      aggregates: scope.place.aggregates,
      windows: false,
    },
  };
  const window = definitionOf(over, scope, at);
  const partition = [
    ...(scope.correlation === undefined ? [] : [scope.correlation.partition]),
    ...(window.partitionClause ?? []).map((node) => groupKey(compileExpression(node, inside))),
  ];
  const order = sortItems(window.orderClause, inside);
  const frame = frameOf(window, at);
  const items = order.map(({ sql }) => sql);
  if (needsTotalOrder(name, frame)) items.push(...(scope.tieBreakers?.() ?? []));
  const filter = filterOf(call, inside);
  return compileWindowCall({
    name,
    args: argumentsOf(call, inside, at),
    star: call.agg_star === true,
    distinct: call.agg_distinct === true,
    ...(filter === undefined ? {} : { filter }),
    over: [
      partition.length === 0 ? '' : `PARTITION BY ${partition.join(', ')}`,
      items.length === 0 ? '' : `ORDER BY ${items.join(', ')}`,
    ]
      .filter((part) => part !== '')
      .join(' '),
    frame,
    hasOrder: order.length > 0,
    at,
  });
}

/** Returns the definition of a window, which may be a named one. */
function definitionOf(over: WindowDef, { windows }: Scope, at: number): WindowDef {
  const named = (name: string): WindowDef => {
    const node = windows?.get(name);
    if (node === undefined || !('WindowDef' in node))
      throw invalidSql(`the window "${name}" does not exist`, at);
    return node.WindowDef;
  };
  if (over.name !== undefined) return named(over.name);
  if (over.refname === undefined) return over;
  const base = named(over.refname);
  if (over.partitionClause !== undefined)
    throw invalidSql(`PARTITION BY of the window "${over.refname}" cannot be changed`, at);
  if (over.orderClause !== undefined && base.orderClause !== undefined) {
    throw invalidSql(`ORDER BY of the window "${over.refname}" cannot be changed`, at);
  }
  const order = over.orderClause ?? base.orderClause;
  return {
    ...over,
    ...(base.partitionClause === undefined ? {} : { partitionClause: base.partitionClause }),
    ...(order === undefined ? {} : { orderClause: order }),
  };
}
