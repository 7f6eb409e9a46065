import type { Alias, JoinExpr, Node, RangeSubselect, RangeVar, SelectStmt } from 'libpg-query';
import { memoizeScale } from '../expressions/numeric/numeric-scale.ts';
import { tieBreakers } from '../expressions/ordering.ts';
import { invalidSql, SqlCompileError, unsupportedSql } from '../sql-compile-error.ts';
import { setHint } from '../instead.ts';
import { trackRelations, type Cte, type Scope } from './compilation-context.ts';
import { createCorrelationDomain, keyOf, insertCorrelationDomain } from './correlation.ts';
import { join, joinOnKeys, joinLateralFunctions, renderAsJoinOperand } from './join.ts';
import { sourceNames } from './names.ts';
import { sqlLimits } from './parse-sql.ts';
import type { Query } from './query.ts';
import {
  findUniqueColumn,
  type Column,
  type FromItem,
  type RecordSource,
  type Relation,
} from './relation.ts';
import { createScan } from './scan.ts';
import { compileQuery } from './statement-compilers.ts';
import { locationOf, listNames, requireKnownFields, unwrapNode } from './syntax.ts';
import { tableFunction } from './table-function.ts';

/** Compiles FROM. Several items are cross-joined. */
export function compileFrom(nodes: readonly Node[], scope: Scope): FromItem | undefined {
  let whole: FromItem | undefined;
  for (const node of nodes) {
    const item = fromItem(node, scope, whole);
    whole = whole === undefined ? item : crossJoin(whole, item, scope);
    addRelations(scope, item);
  }
  return whole;
}

function addRelations(scope: Scope, item: FromItem): void {
  for (const relation of item.relations) {
    const twice = scope.relations.some(({ alias }) => alias !== undefined && alias === relation.alias);
    if (twice) throw invalidSql(`the table name "${String(relation.alias)}" is given more than once`, 0);
    scope.relations.push(relation);
  }
}

/** Cross-joins two items. */
export function crossJoin(left: FromItem, right: FromItem, { compilation }: Scope): FromItem {
  if (right.matches !== undefined) return joinOnKeys(right.matches, left, right, compilation);
  if (left.key !== undefined && right.key !== undefined)
    return joinOnKeys([left.key, right.key], left, right, compilation);
  return {
    key: left.key ?? right.key,
    relations: [...left.relations, ...right.relations],
    simple: right.lateral !== undefined,
    tieBreakers: () => [...left.tieBreakers(), ...right.tieBreakers()],
    render: () =>
      right.lateral === undefined
        ? `${left.render()} CROSS JOIN ${renderAsJoinOperand(right, compilation)}`
        : joinLateralFunctions(left, right, false),
  };
}

/** @param left the items before it, whose columns LATERAL can use */
function fromItem(node: Node, scope: Scope, left?: FromItem): FromItem {
  if ('RangeVar' in node) return table(node.RangeVar, scope);
  if ('RangeSubselect' in node) return subselect(node.RangeSubselect, scope, left);
  if ('JoinExpr' in node) return joined(node.JoinExpr, withRelations(scope, left));
  if ('RangeFunction' in node) return tableFunction(node.RangeFunction, scope, left);
  const [kind] = unwrapNode(node);
  throw kind === 'RangeTableSample'
    ? unsupportedSql('TABLESAMPLE', locationOf(node), 'Use WHERE, or ORDER BY with LIMIT.')
    : unsupportedSql(`${kind} in FROM`, locationOf(node), setHint);
}

function table(range: RangeVar, scope: Scope): FromItem {
  const at = range.location ?? 0;
  const { catalogname, schemaname, relname = '' } = range;
  const schemas = [catalogname, schemaname].filter((name) => name !== undefined);
  if (schemas.length > 0) {
    throw unsupportedSql(
      `a table name with a schema (${[...schemas, relname].map((name) => `"${name}"`).join('.')})`,
      at,
      'Datasets have no schema, and there are no system tables: write the name or id of a dataset alone, in double quotes.',
    );
  }
  requireKnownFields(range, ['relname', 'inh', 'relpersistence', 'alias', 'location'], 'a table', at);
  if (range.inh !== true) throw unsupportedSql('ONLY', at, 'Leave it out: a dataset has no others below it.');
  const name = range.relname ?? '';
  const cte = scope.ctes.get(name);
  if (cte !== undefined) return cteItem(cte, range.alias, name, scope, at);
  return scanOf(range, scope, name, at);
}

function scanOf(range: RangeVar, { compilation }: Scope, name: string, at: number): RecordSource {
  const { catalog, parsed, scans } = compilation;
  const [written] = sourceNames(parsed, at, [name]);
  const dataset = written === undefined ? undefined : catalog.find(written);
  const shown = written?.written ?? name;
  if (dataset === undefined) {
    throw new SqlCompileError('unknown-table', `there is no dataset "${shown}" that you may read`, at);
  }
  if (dataset === 'ambiguous') {
    throw new SqlCompileError(
      'unknown-table',
      `more than one dataset is named "${shown}": write the dataset's id in double quotes`,
      at,
    );
  }
  scans.push(dataset);
  if (scans.length > sqlLimits.tables) {
    throw invalidSql(`more than ${String(sqlLimits.tables)} datasets are named`, at);
  }
  if ((range.alias?.colnames ?? []).length > 0)
    throw unsupportedSql(
      'an alias with names of columns for a dataset',
      at,
      'Name the columns in a subquery: FROM (SELECT a AS x FROM t) AS s.',
    );
  return createScan(compilation, dataset, range.alias?.aliasname ?? name);
}

function cteItem(cte: Cte, alias: Alias | undefined, name: string, scope: Scope, at: number): FromItem {
  const { ctequery, aliascolnames } = cte.expression;
  if (ctequery === undefined || !('SelectStmt' in ctequery))
    throw unsupportedSql(
      'a WITH query other than SELECT',
      at,
      'Datasets are changed by their own calls, not by SQL.',
    );
  const query = compileQuery(ctequery.SelectStmt, cte.scope, at);
  if (query.key !== undefined && cte.scope.outer?.domain !== scope.outer?.domain) {
    throw unsupportedSql(
      'a query of WITH that names columns around it, inside a further subquery',
      at,
      'Write the query out where it is used.',
    );
  }
  const renamed = renameColumns(query, listNames(aliascolnames, at), name, at);
  return derived(renamed, alias, name, { ...cte.scope }, at);
}

function subselect(range: RangeSubselect, scope: Scope, left: FromItem | undefined): FromItem {
  const { subquery, alias, lateral } = range;
  const at = locationOf(subquery);
  requireKnownFields(range, ['subquery', 'alias', 'lateral'], 'a subquery in FROM', at);
  if (subquery === undefined || !('SelectStmt' in subquery))
    throw unsupportedSql('this subquery in FROM', at, 'Write a SELECT in brackets.');
  if (lateral === true && left !== undefined) {
    return lateralSubselect(subquery.SelectStmt, alias, { scope, left, at });
  }
  if (lateral === true) rejectOuterNames(subquery.SelectStmt, scope, at);
  // Without LATERAL, the subquery cannot use the other items of FROM.
  const inside = { ...scope, relations: [] };
  const query = compileQuery(subquery.SelectStmt, { ...inside, outer: scope.outer }, at);
  return derived(query, alias, undefined, scope, at);
}

/**
 * Adds the relations of the items before a join in parentheses to the scope of the join. If an item in the join uses
 * them, it can then be rejected as unsupported.
 */
const withRelations = (scope: Scope, left: FromItem | undefined): Scope => {
  const others = left?.relations.filter((relation) => !scope.relations.includes(relation)) ?? [];
  return { ...scope, relations: [...scope.relations, ...others] };
};

const outOfReach = (at: number): Error =>
  unsupportedSql(
    'LATERAL in a join that names columns of tables before the join',
    at,
    'Put the LATERAL subquery behind a comma or CROSS JOIN, or join the tables in a subquery first.',
  );

/** Rejects a LATERAL subquery at the start of a join that uses columns of tables before the join. */
function rejectOuterNames(statement: SelectStmt, scope: Scope, at: number): void {
  const { compilation, relations } = scope;
  if (relations.length === 0) return;
  const around: Scope = {
    ...scope,
    domain: createCorrelationDomain(compilation),
    correlation: undefined,
    level: undefined,
  };
  const before = compilation.scans.length;
  const { touched } = trackRelations(compilation, () => compileQuery(statement, around, at));
  // The subquery will be compiled again, so its scans must not count twice.
  compilation.scans.splice(before);
  if (relations.some(({ id }) => touched.has(id))) throw outOfReach(at);
}

/** Compiles a LATERAL subquery, which runs for each row of the items before it. */
function lateralSubselect(
  statement: SelectStmt,
  alias: Alias | undefined,
  { scope, left, at }: { scope: Scope; left: FromItem; at: number },
): FromItem {
  const { compilation } = scope;
  const domain = createCorrelationDomain(compilation);
  const before = scope.relations.filter((relation) => !left.relations.includes(relation));
  const around: Scope = {
    ...scope,
    relations: [...before, ...left.relations],
    domain,
    correlation: undefined,
    level: undefined,
  };
  const { result: query, touched } = trackRelations(compilation, () => compileQuery(statement, around, at));
  if (before.some(({ id }) => touched.has(id))) throw outOfReach(at);
  const item = derived(query, alias, undefined, scope, at);
  if (query.key === undefined) return item;
  return {
    ...item,
    key: undefined,
    matches: [keyOf(domain), query.key],
    render: () => insertCorrelationDomain(item.render(), domain, ` FROM ${left.render()}`),
  };
}

const renameColumns = (query: Query, names: readonly string[], of: string, at: number): Query => {
  if (names.length > query.columns.length) {
    throw invalidSql(
      `"${of}" has ${String(query.columns.length)} columns, and ${String(names.length)} names are given`,
      at,
    );
  }
  return {
    ...query,
    columns: query.columns.map((column, i) => ({ ...column, name: names[i] ?? column.name })),
  };
};

function derived(
  query: Query,
  alias: Alias | undefined,
  fallback: string | undefined,
  { compilation, isOptional = false }: Scope,
  at: number,
): FromItem {
  const name = alias?.aliasname ?? fallback;
  const { columns, render } = renameColumns(
    query,
    listNames(alias?.colnames, at),
    name ?? 'the subquery',
    at,
  );
  const touch = () => compilation.touched.add(relation.id);
  const all = columns.map((column): Column => ({
    name: column.name,
    get: (location) => {
      touch();
      const { sql, type, rowDigits } = column;
      if (rowDigits === undefined) return { sql, type, at: location };
      return { sql, type, at: location, rowScale: memoizeScale(sql, rowDigits) };
    },
  }));
  const relation: Relation = {
    id: compilation.id(),
    alias: name,
    columns: () => all,
    find: (names) => findUniqueColumn(all, names),
  };
  const outside = compilation.name();
  return {
    relations: [relation],
    simple: true,
    key: query.key,
    tieBreakers: () => columns.flatMap(tieBreakers),
    render: () => `(${isOptional ? withNulls(render(), columns) : render()}) AS ${outside}`,
  };
}

/**
 * Makes boolean columns nullable. For columns that are never NULL, such as IS NULL, an outer join would otherwise fill
 * in false instead of NULL.
 */
function withNulls(sql: string, columns: Query['columns']): string {
  const booleans = new Set(columns.flatMap((column) => (column.type.name === 'boolean' ? [column.sql] : [])));
  if (booleans.size === 0) return sql;
  const list = Array.from(booleans, (column) => `toNullable(${column}) AS ${column}`);
  return `SELECT * REPLACE (${list.join(', ')}) FROM (${sql})`;
}

function joined(expression: JoinExpr, scope: Scope): FromItem {
  const { larg, rarg, alias } = expression;
  requireKnownFields(
    expression,
    ['jointype', 'isNatural', 'larg', 'rarg', 'quals', 'usingClause', 'alias'],
    'a join',
    0,
  );
  if (alias !== undefined)
    throw unsupportedSql(
      'an alias of a join',
      locationOf(rarg),
      'Write the join as a subquery with an alias: (SELECT ... FROM a JOIN b ...) AS j.',
    );
  if (larg === undefined || rarg === undefined) throw new Error('A join has two sides.');
  const { jointype } = expression;
  const inside = (isOptional: boolean): Scope => ({
    ...scope,
    isOptional: scope.isOptional === true || jointype === 'JOIN_FULL' || isOptional,
  });
  const left = fromItem(larg, inside(jointype === 'JOIN_RIGHT'));
  return join(expression, left, fromItem(rarg, inside(jointype === 'JOIN_LEFT'), left), scope);
}
