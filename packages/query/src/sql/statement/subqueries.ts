import type { Node, SelectStmt, SubLink } from 'libpg-query';
import { joinKeys } from './join-keys.ts';
import type { Expression } from '../expression.ts';
import { elementTypeOf } from '../expressions/casts.ts';
import { memoizeScale } from '../expressions/numeric/numeric-scale.ts';
import { not, compileQuantifiedComparison } from '../expressions/operators.ts';
import { invalidSql, unsupportedSql } from '../sql-compile-error.ts';
import { arrayType, engineType, toScalarType } from '../types.ts';
import type { Scope } from './compilation-context.ts';
import { compileExpression, openQuery } from './statement-compilers.ts';
import {
  createCorrelationDomain,
  keyOf,
  insertCorrelationDomain,
  type CorrelationDomain,
} from './correlation.ts';
import { renderSubquery, renderSorted, type OpenQuery, type Query, type QueryColumn } from './query.ts';
import { builtInName } from './syntax.ts';

const boolean = toScalarType('boolean');

const asBoolean = (sql: string, at: number): Expression => ({
  sql: `CAST(${sql} AS ${engineType(boolean)})`,
  type: boolean,
  at,
});

/** Compiles a subquery in an expression: EXISTS, IN, ANY, ALL, a scalar value or ARRAY. */
export function compileSublink(link: SubLink, scope: Scope, at: number): Expression {
  const { subLinkType, subselect } = link;
  if (subselect === undefined || !('SelectStmt' in subselect))
    throw unsupportedSql(
      'this subquery',
      at,
      'Use EXISTS, IN, ANY, ALL, or a subquery that gives one value.',
    );
  const { SelectStmt: statement } = subselect;
  if (subLinkType === 'EXISTS_SUBLINK') {
    const subquery = subqueryOf(statement, scope, at);
    return asBoolean(
      existsText(subquery, rowsOf(subquery, renderSubquery(subquery.open).render(), scope, at)),
      at,
    );
  }
  if (subLinkType === 'EXPR_SUBLINK') return scalarSubquery(statement, scope, at);
  if (subLinkType === 'ARRAY_SUBLINK') return arraySubquery(statement, scope, at);
  if (subLinkType !== 'ANY_SUBLINK' && subLinkType !== 'ALL_SUBLINK')
    throw unsupportedSql(
      'this subquery',
      at,
      'Use EXISTS, IN, ANY, ALL, or a subquery that gives one value.',
    );
  return comparedSubquery(link, statement, scope, at);
}

/**
 * Compiles `x IN (SELECT ...)` as a condition, in which NULL counts as false; undefined for other conditions.
 */
export function compileInCondition(node: Node, scope: Scope): string | undefined {
  if (!('SubLink' in node) || node.SubLink.subLinkType !== 'ANY_SUBLINK') return undefined;
  const { subselect, location = 0 } = node.SubLink;
  if (subselect === undefined || !('SelectStmt' in subselect) || operatorOf(node.SubLink) !== '=') {
    return undefined;
  }
  return foundText(membershipParts(node.SubLink, subselect.SelectStmt, scope, location));
}

interface Subquery {
  readonly open: OpenQuery;
  /** The outer values that the subquery uses. */
  readonly domain: CorrelationDomain;
}

function subqueryOf(statement: SelectStmt, scope: Scope, at: number): Subquery {
  const domain = createCorrelationDomain(scope.compilation);
  return { open: openQuery(statement, { ...scope, domain }, at), domain };
}

/** Completes the SQL of a subquery when all the outer values that it uses are known. */
function rowsOf({ open, domain }: Subquery, sql: string, { level, place }: Scope, at: number): string {
  if (open.key === undefined) return sql;
  if (level === undefined)
    throw unsupportedSql(
      `a subquery that names columns around it in ${place.clause}`,
      at,
      'Join it in FROM, or move the condition to WHERE.',
    );
  return insertCorrelationDomain(sql, domain, level.source());
}

/** Prints the predicate that a subquery has rows that satisfy the condition. The predicate is never NULL. */
const existsText = ({ open, domain }: Subquery, rows: string, condition?: string): string => {
  const where = condition === undefined ? '' : ` WHERE ${condition}`;
  if (open.key !== undefined) return `(${keyOf(domain)} IN (SELECT ${open.key} FROM (${rows})${where}))`;
  // The engine's exists() (chdb 3.4.0) is always true for a query without a table.
  return `((SELECT count() FROM (SELECT 1 FROM (${rows})${where} LIMIT 1)) > 0)`;
};

function onlyColumn({ columns }: Pick<Query, 'columns'>, at: number): QueryColumn {
  const [column, ...more] = columns;
  if (column === undefined || more.length > 0) throw invalidSql('the subquery has to give one column', at);
  return column;
}

/** Joins the value of a subquery for each key to the outer rows, and returns the name of the joined column. */
function attached(
  { open, domain }: Subquery,
  value: string,
  rows: string,
  { compilation, level }: Scope,
): string {
  const [key, name] = [compilation.name(), compilation.name()];
  const query = `SELECT ${open.key ?? ''} AS ${key}, ${value} AS ${name} FROM (${rows}) GROUP BY ${open.key ?? ''}`;
  level?.attach(query, key, keyOf(domain));
  return name;
}

function scalarSubquery(statement: SelectStmt, scope: Scope, at: number): Expression {
  const subquery = subqueryOf(statement, scope, at);
  const { open } = subquery;
  const { sql: value, type, rowDigits } = onlyColumn(open, at);
  const rows = rowsOf(subquery, renderSubquery(open).render(), scope, at);
  const none = type.name === 'array' ? `CAST([] AS ${engineType(type)})` : 'NULL';
  // For several rows PostgreSQL fails. An error that depends on the data could disclose hidden rows, so the result is
  // NULL.
  const one = `if(count() = 1, any(${value}), ${none})`;
  if (open.key !== undefined) return { sql: attached(subquery, one, rows, scope), type, at };
  const sql =
    type.name === 'array'
      ? `(SELECT ${one} FROM (${rows}))`
      : `CAST((SELECT ${value} FROM (${rows})) AS ${engineType(type)})`;
  if (rowDigits === undefined) return { sql, type, at };
  // Compiles a second subquery for the scale, because a scalar subquery of the engine has only one column.
  const digits = (): string => {
    const column = rowDigits();
    return `(SELECT ${column} FROM (${renderSubquery(open).render()}))`;
  };
  return { sql, type, at, rowScale: memoizeScale(sql, digits) };
}

/** Compiles `ARRAY(SELECT ...)`: an array of all values of a subquery, in the order of the subquery. */
function arraySubquery(statement: SelectStmt, scope: Scope, at: number): Expression {
  const subquery = subqueryOf(statement, scope, at);
  const { open } = subquery;
  const { sql: value, type: element } = onlyColumn(open, at);
  const type = arrayType(elementTypeOf(element, at));
  const place = scope.compilation.name();
  const over = [
    ...(open.key === undefined ? [] : [`PARTITION BY ${open.key}`]),
    ...(open.order.length === 0 ? [] : [`ORDER BY ${open.order.join(', ')}`]),
  ].join(' ');
  const columns = [value, ...(open.key === undefined ? [] : [open.key])].join(', ');
  const sorted = `SELECT ${columns}, row_number() OVER (${over}) AS ${place} FROM (${renderSorted(open)})`;
  const rows = rowsOf(subquery, sorted, scope, at);
  const list = `[arrayMap(t -> t.2, arraySort(t -> t.1, groupArray(tuple(${place}, ${value}))))]`;
  if (open.key === undefined)
    return { sql: `CAST((SELECT ${list} FROM (${rows})) AS ${engineType(type)})`, type, at };
  const name = attached(subquery, list, rows, scope);
  return { sql: `CAST(if(empty(${name}), [[]], ${name}) AS ${engineType(type)})`, type, at };
}

/** Compiles IN, and operators with ANY or ALL. */
function comparedSubquery(link: SubLink, statement: SelectStmt, scope: Scope, at: number): Expression {
  const isAll = link.subLinkType === 'ALL_SUBLINK';
  const operator = operatorOf(link);
  if (operator === '=' && !isAll) return membership(link, statement, scope, at);
  if (operator === '<>' && isAll) return not(membership(link, statement, scope, at), at);
  const { testexpr } = link;
  if (testexpr === undefined || 'RowExpr' in testexpr)
    throw unsupportedSql('ANY or ALL for rows', at, 'Write IN, or EXISTS with a condition for each column.');
  const left = compileExpression(testexpr, scope);
  return compileQuantifiedComparison(
    operator,
    left,
    arraySubquery(statement, scope, at),
    isAll ? 'all' : 'any',
    at,
  );
}

const operatorOf = ({ operName, location = 0 }: SubLink): string =>
  operName === undefined ? '=' : builtInName(operName, 'the operator', location);

interface Membership {
  readonly subquery: Subquery;
  /** The values to find, one for each column. */
  readonly values: readonly string[];
  readonly columns: readonly string[];
  /** The rows with those columns and the correlation key. */
  readonly rows: string;
}

function membershipParts(link: SubLink, statement: SelectStmt, scope: Scope, at: number): Membership {
  const { testexpr } = link;
  if (testexpr === undefined)
    throw unsupportedSql(
      'this subquery',
      at,
      'Use EXISTS, IN, ANY, ALL, or a subquery that gives one value.',
    );
  const sought = 'RowExpr' in testexpr ? (testexpr.RowExpr.args ?? []) : [testexpr];
  const subquery = subqueryOf(statement, scope, at);
  const { open } = subquery;
  if (open.columns.length !== sought.length) {
    throw invalidSql(
      `the subquery has to give ${sought.length === 1 ? 'one column' : `${String(sought.length)} columns`}`,
      at,
    );
  }
  const pairs = open.columns.map(({ sql, type }, i) =>
    joinKeys(compileExpression(sought[i] ?? testexpr, scope), { sql, type, at }, at),
  );
  const columns = pairs.map(() => scope.compilation.name());
  const list = pairs.map(([, key], i) => `${key} AS ${columns[i] ?? ''}`);
  if (open.key !== undefined) list.push(open.key);
  const rows = rowsOf(
    subquery,
    `SELECT ${list.join(', ')} FROM (${renderSubquery(open).render()})`,
    scope,
    at,
  );
  return { subquery, values: pairs.map(([value]) => value), columns, rows };
}

/** Prints the predicate that a row of the subquery equals the values. The predicate is never NULL. */
function foundText({ subquery: { open, domain }, values, columns, rows }: Membership): string {
  const left = [...(open.key === undefined ? [] : [keyOf(domain)]), ...values];
  const list = [...(open.key === undefined ? [] : [open.key]), ...columns];
  const value = left.length === 1 ? (left[0] ?? '') : `tuple(${left.join(', ')})`;
  const known = columns.map((column) => `isNotNull(${column})`).join(' AND ');
  return `ifNull(${value} IN (SELECT ${list.join(', ')} FROM (${rows}) WHERE ${known}), 0)`;
}

/**
 * Compiles `x IN (SELECT y ...)`: true if a row equals x; otherwise NULL if there are rows, and x or one of them is
 * NULL; otherwise false.
 */
function membership(link: SubLink, statement: SelectStmt, scope: Scope, at: number): Expression {
  const parts = membershipParts(link, statement, scope, at);
  const { subquery, rows } = parts;
  const [value = 'NULL', ...more] = parts.values;
  const [column = 'NULL'] = parts.columns;
  if (more.length > 0)
    throw unsupportedSql(
      'IN for rows of several columns anywhere but in a condition joined by AND',
      at,
      'Write EXISTS or NOT EXISTS with a condition for each column.',
    );
  const [nulls, some] =
    subquery.open.key === undefined
      ? [`(SELECT countIf(isNull(${column})) FROM (${rows})) > 0`, `(SELECT count() FROM (${rows})) > 0`]
      : [existsText(subquery, rows, `isNull(${column})`), existsText(subquery, rows)];
  const undecided = `${nulls} OR (isNull(${value}) AND ${some})`;
  return asBoolean(`multiIf(${foundText(parts)}, 1, ${undecided}, NULL, 0)`, at);
}
