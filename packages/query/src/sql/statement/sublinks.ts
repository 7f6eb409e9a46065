import type { Node, SelectStmt, SubLink } from 'libpg-query';
import { joinKeys } from './join-keys.ts';
import type { Expression } from '../expression.ts';
import { invalid, unsupported } from '../fault.ts';
import { engineType, scalar } from '../types.ts';
import { measured, type Scope } from './compilation.ts';
import { closed, type OpenQuery, type Query, type QueryColumn } from './query.ts';
import { compileExpression, openQuery } from './compile.ts';
import { builtInName } from './syntax.ts';

const boolean = scalar('boolean');

const asBoolean = (sql: string, at: number): Expression => ({
  sql: `CAST(${sql} AS ${engineType(boolean)})`,
  type: boolean,
  at,
});

/** A subquery as a value: EXISTS, IN, or the one value that it gives. */
export function compileSublink(link: SubLink, scope: Scope, at: number): Expression {
  const { subLinkType, subselect } = link;
  if (subselect === undefined || !('SelectStmt' in subselect)) throw unsupported('this subquery', at);
  if (subLinkType === 'EXISTS_SUBLINK') {
    return asBoolean(existsText(subqueryOf(subselect.SelectStmt, scope, at).query), at);
  }
  if (subLinkType === 'EXPR_SUBLINK') return scalarSubquery(subselect.SelectStmt, scope, at);
  if (subLinkType === 'ANY_SUBLINK') return membership(link, subselect.SelectStmt, scope, at);
  throw unsupported(subLinkType === 'ARRAY_SUBLINK' ? 'ARRAY(SELECT ...)' : 'ALL with a subquery', at);
}

/** Whether a condition is `x IN (SELECT ...)`, as which it need not tell NULL from false. */
export function compileInCondition(node: Node, scope: Scope): string | undefined {
  if (!('SubLink' in node) || node.SubLink.subLinkType !== 'ANY_SUBLINK') return undefined;
  const { subselect, location = 0 } = node.SubLink;
  if (subselect === undefined || !('SelectStmt' in subselect)) return undefined;
  return foundText(membershipParts(node.SubLink, subselect.SelectStmt, scope, location));
}

interface Subquery {
  open: OpenQuery;
  query: Query;
  /** Whether it names columns of a query around it. */
  isCorrelated: boolean;
}

function subqueryOf(statement: SelectStmt, scope: Scope, at: number): Subquery {
  const { compilation } = scope;
  const before = compilation.id();
  const { result, touched } = measured(compilation, () => {
    const open = openQuery(statement, scope, at);
    return { open, query: closed(open) };
  });
  return { ...result, isCorrelated: [...touched].some((id) => id < before) };
}

const existsText = ({ sql }: Query, condition?: string): string =>
  `exists(SELECT 1 FROM (${sql})${condition === undefined ? '' : ` WHERE ${condition}`})`;

function onlyColumn({ columns }: Query, at: number): QueryColumn {
  const [column, ...more] = columns;
  if (column === undefined || more.length > 0) throw invalid('the subquery has to give one column', at);
  return column;
}

function scalarSubquery(statement: SelectStmt, scope: Scope, at: number): Expression {
  const { open, query, isCorrelated } = subqueryOf(statement, scope, at);
  const column = onlyColumn(query, at);
  if (column.type.name === 'array') throw unsupported('an array out of a subquery', at);
  const type = engineType(column.type);
  if (!isCorrelated) {
    return { sql: `CAST((SELECT ${column.sql} FROM (${query.sql})) AS ${type})`, type: column.type, at };
  }
  if (open.onNoRows === undefined) {
    throw unsupported('a subquery that names columns around it, is used as a value and is no aggregate', at);
  }
  const [source, ...others] = statement.fromClause ?? [];
  if (source === undefined || !('RangeVar' in source) || others.length > 0) {
    throw unsupported('an aggregate that names columns around it over more than one table', at);
  }
  // The engine joins such a subquery to the rows around it, and where nothing joins a count would be NULL.
  const value = `(SELECT [${column.sql}] FROM (${query.sql}))`;
  const none = `CAST(${open.onNoRows[0] ?? 'NULL'} AS ${type})`;
  return { sql: `if(empty(${value}), ${none}, ${value}[1])`, type: column.type, at };
}

interface Membership {
  value: string;
  column: string;
  query: Query;
  isCorrelated: boolean;
}

function membershipParts(link: SubLink, statement: SelectStmt, scope: Scope, at: number): Membership {
  const { testexpr, operName } = link;
  if (testexpr === undefined) throw unsupported('this subquery', at);
  if (operName !== undefined && builtInName(operName, 'the operator', at) !== '=') {
    throw unsupported('ANY with an operator other than "="', at);
  }
  if ('RowExpr' in testexpr) throw unsupported('IN for rows of several columns', at);
  const { query, isCorrelated } = subqueryOf(statement, scope, at);
  const { sql, type } = onlyColumn(query, at);
  const [value, key] = joinKeys(compileExpression(testexpr, scope), { sql, type, at }, at);
  const column = scope.compilation.name();
  return {
    value,
    column,
    isCorrelated,
    query: { ...query, sql: `SELECT ${key} AS ${column} FROM (${query.sql})` },
  };
}

/** Whether one of the rows is equal: never NULL. */
const foundText = ({ value, column, query, isCorrelated }: Membership): string =>
  isCorrelated
    ? existsText(query, `${column} = ${value}`)
    : `ifNull(${value} IN (SELECT ${column} FROM (${query.sql}) WHERE isNotNull(${column})), 0)`;

/** `x IN (SELECT y ...)`: true if one is equal, otherwise NULL if x or one of them is NULL (and there is one), else false. */
function membership(link: SubLink, statement: SelectStmt, scope: Scope, at: number): Expression {
  const parts = membershipParts(link, statement, scope, at);
  const { value, column, query, isCorrelated } = parts;
  const [nulls, rows] = isCorrelated
    ? [existsText(query, `isNull(${column})`), existsText(query)]
    : [
        `(SELECT countIf(isNull(${column})) FROM (${query.sql})) > 0`,
        `(SELECT count() FROM (${query.sql})) > 0`,
      ];
  const undecided = `${nulls} OR (isNull(${value}) AND ${rows})`;
  return asBoolean(`multiIf(${foundText(parts)}, 1, ${undecided}, NULL, 0)`, at);
}
