import type { Node, SelectStmt } from 'libpg-query';
import { invalidSql, unsupportedSql } from '../sql-compile-error.ts';
import { hasRowScale, displayScale } from '../expressions/numeric/numeric-scale.ts';
import {
  outerScope,
  type Cte,
  type Grouping,
  type ClauseContext,
  type Scope,
} from './compilation-context.ts';
import { compileCondition } from './statement-compilers.ts';
import { isStar } from './compile-column.ts';
import { findCorrelation, fillPartitionKey } from './correlation.ts';
import { compileFrom } from './from.ts';
import { compileGrouping } from './grouping.ts';
import { compileOrder, type SelectOrder } from './select-order.ts';
import type { Limit, OpenQuery, QueryColumn } from './query.ts';
import type { FromItem, RecordSource } from './relation.ts';
import { compileSetOperation } from './set-operations.ts';
import { groupLevel, rowLevel } from './source.ts';
import { requireKnownFields, requireIntegerConstant } from './syntax.ts';
import { hoistSetReturningCalls, joinHoistedFunctions } from './hoist-functions.ts';
import type { SelectParts } from './select-parts.ts';
import { expandTargets, targetsOf, type Target } from './targets.ts';
import { distinctOutputs, isDistinct, printSelect } from './distinct.ts';
import { compileValues } from './values.ts';

const handled = [
  'distinctClause',
  'targetList',
  'fromClause',
  'whereClause',
  'groupClause',
  'groupDistinct',
  'havingClause',
  'windowClause',
  'valuesLists',
  'sortClause',
  'limitOffset',
  'limitCount',
  'limitOption',
  'withClause',
  'op',
  'all',
  'larg',
  'rarg',
];

/**
 * Compiles a query without its ORDER BY and LIMIT, which the caller adds. `scope` is the scope around it.
 * @param isWhole whether it is the whole statement, so that "*" can mean whole records
 */
export function openQuery(statement: SelectStmt, scope: Scope, at: number, isWhole = false): OpenQuery {
  requireKnownFields(statement, handled, 'SELECT', at);
  if (statement.limitOption === 'LIMIT_OPTION_WITH_TIES')
    throw unsupportedSql('FETCH FIRST ... WITH TIES', at, 'Use rank() in a subquery, and WHERE around it.');
  const inside: Scope = { ...scope, ctes: withCtes(statement, scope, at) };
  const limit = limitOf(statement, at);
  if (statement.op !== undefined && statement.op !== 'SETOP_NONE') {
    return compileSetOperation(statement, inside, limit, at);
  }
  if (statement.valuesLists !== undefined) return compileValues(statement, inside, limit, at);
  return compileSelect(statement, inside, limit, { at, isWhole });
}

function withCtes({ withClause }: SelectStmt, scope: Scope, at: number): Scope['ctes'] {
  if (withClause === undefined) return scope.ctes;
  requireKnownFields(withClause, ['ctes', 'location'], 'WITH', withClause.location ?? at);
  const ctes = new Map<string, Cte>(scope.ctes);
  for (const node of withClause.ctes ?? []) {
    if (!('CommonTableExpr' in node))
      throw unsupportedSql('this WITH', at, 'Write WITH name AS (SELECT ...).');
    const { CommonTableExpr: expression } = node;
    const known = ['ctename', 'ctequery', 'aliascolnames', 'ctematerialized', 'location'];
    requireKnownFields(expression, known, 'WITH', expression.location ?? at);
    // A WITH query can use the WITH queries before it, but not itself.
    ctes.set(expression.ctename ?? '', {
      expression,
      scope: { ...scope, ctes: new Map(ctes), relations: [], domain: undefined, outer: outerScope(scope) },
    });
  }
  return ctes;
}

function limitOf({ limitCount, limitOffset }: SelectStmt, at: number): Limit | undefined {
  const count = rowCount(limitCount, 'LIMIT', at);
  const offset = rowCount(limitOffset, 'OFFSET', at);
  return count === undefined && offset === undefined ? undefined : { count, offset: offset ?? 0 };
}

function rowCount(node: Node | undefined, clause: string, at: number): number | undefined {
  if (node === undefined || ('A_Const' in node && node.A_Const.isnull === true)) return undefined;
  const value = requireIntegerConstant(node, clause, at);
  if (value < 0) throw invalidSql(`${clause} must not be negative`, at);
  return value;
}

const noPlace = (clause: string): ClauseContext => ({ clause, aggregates: false, windows: false });

function compileSelect(
  written: SelectStmt,
  around: Scope,
  limit: Limit | undefined,
  { at, isWhole }: { at: number; isWhole: boolean },
): OpenQuery {
  const { compilation } = around;
  const { statement, calls } = hoistSetReturningCalls(written, compilation.parsed);
  const outer = outerScope(around);
  const whereOf = (): string => (conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`);
  const later: (() => string)[] = [];
  const inRows = findCorrelation(outer, compilation);
  const rowsLevel = rowLevel(() => from, inRows, compilation);
  const rows: Scope = {
    compilation,
    ctes: around.ctes,
    outer,
    relations: [],
    later,
    windows: windowsOf(statement.windowClause),
    correlation: inRows,
    level: rowsLevel,
    place: noPlace('FROM'),
  };
  const from = joinHoistedFunctions(calls, compileFrom(statement.fromClause ?? [], rows), rows);
  const conditions = later.map((condition) => condition());
  if (statement.whereClause !== undefined) {
    conditions.push(compileCondition(statement.whereClause, { ...rows, place: noPlace('WHERE') }));
  }
  const targets = targetsOf(statement.targetList);
  if (targets.length === 0)
    throw unsupportedSql('a SELECT without columns', at, 'Name a column, or write *.');
  const grouping = compileGrouping(statement, rows, targets);
  const inGroups = grouping === undefined ? inRows : findCorrelation(outer, compilation);
  const level =
    grouping === undefined
      ? rowsLevel
      : groupLevel({ rows: rowsLevel, where: whereOf, grouping }, inGroups, compilation);
  const scope: Scope = {
    ...rows,
    ...(grouping === undefined ? {} : { grouping }),
    correlation: inGroups,
    level,
    keepsUnknown: around.keepsUnknown === true,
    place: { clause: 'the select list', aggregates: true, windows: true },
    tieBreakers: () =>
      grouping === undefined
        ? (from?.tieBreakers() ?? [])
        : [
            ...grouping.keys.map(({ name }) => name),
            ...(grouping.sets === undefined ? [] : [grouping.sets.number]),
          ],
  };
  const records = isWhole ? recordsOf(statement, targets, from, scope) : undefined;
  // Columns of groups keep their names, so that the SQL of the groups can be the whole statement. Nested queries and
  // DISTINCT depend on the positions of columns, so there each output column gets a new name.
  const keepsNames = isWhole && statement.distinctClause === undefined;
  const nameOf = (sql: string): string =>
    keepsNames && isGroupColumn(grouping, sql) ? sql : compilation.name();
  const outputs = distinctOutputs(
    statement,
    records === undefined ? expandTargets(targets, scope) : [],
    nameOf,
  );
  const having =
    statement.havingClause &&
    compileCondition(statement.havingClause, {
      ...scope,
      place: { clause: 'HAVING', aggregates: true, windows: false },
    });
  const filter = `${grouping === undefined ? whereOf() : ''}${having === undefined ? '' : ` WHERE ${having}`}`;
  const isRecords = records !== undefined;
  const digits = new Map<string, string>();
  const parts: SelectParts = { statement, level, filter, scope, isRecords, nameOf, outputs, digits };
  const order = compileOrder(parts);
  const isDependent = from?.key !== undefined || inRows?.isUsed() === true || inGroups?.isUsed() === true;
  const key = isDependent ? compilation.name() : undefined;
  return {
    columns: outputs.map((output) => queryColumn(output, parts)),
    order: order.items,
    limit,
    render: (sorted) => renderSelect(parts, order, sorted || order.firstOf.length > 0, key),
    key,
    ...(records === undefined ? {} : { records }),
  };
}

function queryColumn(
  { name, column, value }: SelectParts['outputs'][number],
  parts: SelectParts,
): QueryColumn {
  const { type, literal } = value;
  const own = { name, sql: column, type };
  if (type.name === 'unknown') return literal === undefined ? own : { ...own, literal };
  // Rows of DISTINCT cannot have additional columns.
  if (!hasRowScale(value) || isDistinct(parts.statement)) return own;
  let known: string | undefined;
  return {
    ...own,
    rowDigits: () => {
      if (known !== undefined) return known;
      const sql = displayScale(value) ?? 'NULL';
      known = parts.digits.get(sql) ?? parts.nameOf(sql);
      parts.digits.set(sql, known);
      return known;
    },
  };
}

function windowsOf(nodes: readonly Node[] | undefined): ReadonlyMap<string, Node> {
  return new Map(
    (nodes ?? []).map((node) => {
      if (!('WindowDef' in node)) throw new Error('WINDOW holds its definitions.');
      return [node.WindowDef.name ?? '', node];
    }),
  );
}

const isGroupColumn = (grouping: Grouping | undefined, sql: string): boolean =>
  grouping !== undefined && [...grouping.keys, ...grouping.aggregates].some(({ name }) => name === sql);

/** Returns the dataset if the statement selects its whole records: `SELECT *` from it alone. */
function recordsOf(
  statement: SelectStmt,
  targets: readonly Target[],
  from: FromItem | undefined,
  scope: Scope,
): RecordSource | undefined {
  const [target, ...others] = targets;
  if (from === undefined || !('use' in from) || others.length > 0 || target === undefined) return undefined;
  if (!('ColumnRef' in target.node) || !isStar(target.node.ColumnRef)) return undefined;
  if (statement.distinctClause !== undefined || scope.grouping !== undefined) return undefined;
  return from as RecordSource;
}

const columnText = (sql: string, name: string): string => (sql === name ? name : `${sql} AS ${name}`);

function renderSelect(
  parts: SelectParts,
  order: SelectOrder,
  sorted: boolean,
  keyName: string | undefined,
): string {
  const { statement, outputs, level, filter, scope } = parts;
  const { text, key, groups } = level.render();
  const further = [
    ...Array.from(parts.digits, ([sql, name]) => ({ sql, name })),
    ...(sorted ? order.columns : []),
  ];
  const all = [...outputs.map(({ value: { sql }, column: name }) => ({ sql, name })), ...further];
  if (groups !== undefined && filter === '' && all.every(({ sql, name }) => sql === name)) return groups;
  const list = (columnOf: (output: SelectParts['outputs'][number]) => string): string => {
    const items = [
      ...(parts.isRecords ? ['*'] : []),
      ...outputs.map((output) => columnText(output.value.sql, columnOf(output))),
      ...further.map(({ sql, name }) => columnText(sql, name)),
      ...(keyName === undefined ? [] : [`${key ?? ''} AS ${keyName}`]),
    ];
    if (items.length === 0) items.push(`1 AS ${scope.compilation.name()}`);
    return fillPartitionKey([...new Set(items)].join(', '), scope.correlation, key);
  };
  const rows = printSelect(
    { statement, outputs, list, rest: `${text}${filter}`, key: keyName },
    scope.compilation,
  );
  return order.firstOf.length === 0 ? rows : firstRows(rows, order, keyName);
}

/** Selects the first row of each group of DISTINCT ON. */
const firstRows = (rows: string, { items, firstOf }: SelectOrder, key: string | undefined): string =>
  `SELECT * FROM (${rows} ORDER BY ${items.join(', ')} LIMIT 1 BY ${[...firstOf, ...(key === undefined ? [] : [key])].join(', ')})`;
