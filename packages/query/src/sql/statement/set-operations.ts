import type { SelectStmt } from 'libpg-query';
import { hasSeveralSpellings, groupRepresentative, tieBreakers } from '../expressions/ordering.ts';
import { compileCast } from '../expressions/casts.ts';
import { commonType } from '../expressions/common-type.ts';
import type { Expression } from '../expression.ts';
import { invalidSql, unsupportedSql } from '../sql-compile-error.ts';
import { outerScope, type Scope } from './compilation-context.ts';
import { findCorrelation } from './correlation.ts';
import { selectDistinctMinimum } from './distinct.ts';
import { singleName, outputAtPosition } from './grouping.ts';
import { sortNodes } from './select-order.ts';
import type { Limit, OpenQuery, Query, QueryColumn } from './query.ts';
import { compileQuery } from './statement-compilers.ts';
import { sortItem } from './sort-item.ts';
import { locationOf } from './syntax.ts';

const operations: Partial<Record<string, string>> = {
  SETOP_UNION: 'UNION',
  SETOP_INTERSECT: 'INTERSECT',
  SETOP_EXCEPT: 'EXCEPT',
};

/** Compiles UNION, INTERSECT or EXCEPT of two queries. Their columns are cast to common types by position. */
export function compileSetOperation(
  statement: SelectStmt,
  scope: Scope,
  limit: Limit | undefined,
  at: number,
): OpenQuery {
  const { larg, rarg, op = '', all = false } = statement;
  const operation = operations[op];
  if (operation === undefined || larg === undefined || rarg === undefined)
    throw unsupportedSql('this set operation', at, 'Use UNION, INTERSECT or EXCEPT.');
  const inside: Scope = { ...scope, keepsUnknown: true };
  const left = compileQuery(larg, inside, at);
  const right = compileQuery(rarg, inside, at);
  if (left.columns.length !== right.columns.length) {
    throw invalidSql(
      `each ${operation} query must have the same number of columns: ${String(left.columns.length)} and ${String(right.columns.length)}`,
      at,
    );
  }
  const { compilation } = scope;
  const pairs = left.columns.map((column, i) => commonColumn(column, right.columns[i], operation, at));
  const columns = pairs.map(({ name, left: { type } }) => ({ name, sql: compilation.name(), type }));
  const distinct = !all || operation !== 'UNION';
  const isDependent = left.key !== undefined || right.key !== undefined;
  const key = isDependent ? compilation.name() : undefined;
  const side = (query: Query, values: readonly Expression[]): string => {
    const list = values.map((value, i) => {
      const own = distinct ? groupRepresentative(value, operation, (sql) => sql) : value.sql;
      return `${own} AS ${columns[i]?.sql ?? ''}`;
    });
    const rows = key === undefined ? { text: `(${query.render()})`, key: '' } : keyedRows(query, scope);
    if (key !== undefined) list.push(`${rows.key} AS ${key}`);
    return `(SELECT ${list.join(', ')} FROM ${rows.text})`;
  };
  const sides = [
    side(
      left,
      pairs.map((pair) => pair.left),
    ),
    side(
      right,
      pairs.map((pair) => pair.right),
    ),
  ] as const;
  const forms = columns.some(({ type }) => hasSeveralSpellings(type));
  if (distinct && forms) {
    if (operation !== 'UNION')
      throw unsupportedSql(
        `${operation} of intervals`,
        at,
        'Cast the intervals to text first, or compare them by IN.',
      );
    const rows = columns.map((column) => ({ ...column, at, column: compilation.name() }));
    const named = columns.map((column, i) => ({ ...column, sql: rows[i]?.column ?? '' }));
    return rowsOfColumns(
      statement,
      named,
      limit,
      selectDistinctMinimum(rows, sides.join(' UNION ALL '), key),
      key,
    );
  }
  return rowsOfColumns(
    statement,
    columns,
    limit,
    sides.join(` ${operation} ${all ? 'ALL' : 'DISTINCT'} `),
    key,
  );
}

/**
 * Returns the rows of a query with the correlation key. If the query does not depend on outer rows, all its rows are
 * combined with each key.
 */
function keyedRows(query: Query, scope: Scope): { text: string; key: string } {
  if (query.key !== undefined) return { text: `(${query.render()})`, key: query.key };
  const correlation = findCorrelation(outerScope(scope), scope.compilation);
  if (correlation === undefined) throw new Error('What depends on rows around it has a domain.');
  const text = `(${query.render()}) AS ${scope.compilation.name()} CROSS JOIN ${correlation.render()}`;
  return { text, key: correlation.key };
}

function commonColumn(
  left: QueryColumn,
  right: QueryColumn | undefined,
  operation: string,
  at: number,
): { name: string; left: Expression; right: Expression } {
  if (right === undefined) throw new Error('Both sides have as many columns.');
  const values = [left, right].map((column): Expression => ({ ...column, at }));
  const type = commonType(values, at, operation);
  const [a, b] = values.map((value) => compileCast(value, type, at));
  if (a === undefined || b === undefined) throw new Error('Two values stay two.');
  return { name: left.name, left: a, right: b };
}

/**
 * Creates a query on `text`, which is SQL of rows with these columns and, if there is a correlation key, its column.
 */
export function rowsOfColumns(
  statement: SelectStmt,
  columns: readonly QueryColumn[],
  limit: Limit | undefined,
  text: string,
  key: string | undefined,
): OpenQuery {
  const list = [...columns.map(({ sql }) => sql), ...(key === undefined ? [] : [key])].join(', ');
  return {
    columns,
    limit,
    key,
    order: orderOfColumns(statement, columns),
    render: () => `SELECT ${list} FROM (${text})`,
  };
}

/** Returns the items of ORDER BY, which must be output columns, and then all columns, so that only equal rows tie. */
function orderOfColumns(statement: SelectStmt, columns: readonly QueryColumn[]): string[] {
  const items = sortNodes(statement).map(({ by, node }) => {
    const at = locationOf(node);
    const column =
      'A_Const' in node
        ? outputAtPosition(node, columns, 'ORDER BY', at)
        : columns.find(({ name }) => name === singleName(node));
    if (column === undefined)
      throw unsupportedSql(
        'ORDER BY of an expression over UNION, INTERSECT, EXCEPT or VALUES',
        at,
        'Order by a column of the result, or put the whole into a subquery.',
      );
    return sortItem(by, { sql: column.sql, type: column.type, at }).sql;
  });
  return [...items, ...columns.flatMap(tieBreakers)];
}
