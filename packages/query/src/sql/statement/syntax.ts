import type { Node } from 'libpg-query';
import { unsupportedSql } from '../sql-compile-error.ts';

/** Splits a node of the syntax tree into its kind and its body. */
export function unwrapNode(node: Node): [string, Record<string, unknown>] {
  const [entry] = Object.entries(node) as [string, Record<string, unknown>][];
  if (entry === undefined) throw new Error('A node of the tree is empty.');
  return entry;
}

/** The location of a node, or `fallback` if the parser does not provide one. */
export function locationOf(node: Node | undefined, fallback = 0): number {
  if (node === undefined) return fallback;
  const [, body] = unwrapNode(node);
  // A function in FROM is a list of calls, each in a list with its columns.
  if ('RangeFunction' in node) return locationOf(node.RangeFunction.functions?.[0], fallback);
  // A SELECT has no location itself, but its columns have.
  if ('SelectStmt' in node) return locationOf(node.SelectStmt.targetList?.[0], fallback);
  if ('List' in node) return locationOf(node.List.items?.[0], fallback);
  const { location } = body;
  return typeof location === 'number' && location >= 0 ? location : fallback;
}

/**
 * Rejects a construct with fields that the compiler does not handle. So no part of a statement is ignored, even if a
 * new version of the parser adds a field.
 */
export function requireKnownFields(
  body: object,
  handled: readonly string[],
  construct: string,
  at: number,
): void {
  for (const [name, value] of Object.entries(body)) {
    if (handled.includes(name) || value === undefined || value === false) continue;
    const [shown, instead] = fieldNames[name] ?? [name, 'Leave that part out.'];
    throw unsupportedSql(`${construct} with ${shown}`, at, instead);
  }
}

/** The SQL syntax of fields of the tree, and what to write instead. */
const fieldNames: Record<string, readonly [shown: string, instead: string]> = {
  lockingClause: ['FOR UPDATE or FOR SHARE', 'Leave it out: statements only read.'],
  intoClause: ['INTO', 'Leave it out, and write the rows with the API call that writes records.'],
  groupDistinct: ['GROUP BY DISTINCT', 'Write each grouping set once.'],
  lateral: ['LATERAL', 'Join it in FROM without LATERAL.'],
  ordinality: ['WITH ORDINALITY', 'Use row_number().'],
  is_rowsfrom: ['ROWS FROM', 'Call one function.'],
  coldeflist: ['a list of column definitions', 'Leave the list out and name columns by an alias.'],
  func_variadic: ['VARIADIC', 'Give the arguments one by one.'],
  setof: ['SETOF', 'Leave it out.'],
  pct_type: ['%TYPE', 'Write the type by its name.'],
  join_using_alias: ['an alias of USING', 'Leave the alias out and name columns by their tables.'],
  search_clause: ['SEARCH', 'Use ORDER BY.'],
  cycle_clause: ['CYCLE', 'Leave it out.'],
  recursive: [
    'RECURSIVE',
    'Join the dataset to itself once for each level, or use generate_series for a series.',
  ],
};

/** Returns the names in a list of String nodes: `pg_catalog.int8`. */
export function listNames(nodes: readonly Node[] | undefined, at: number): string[] {
  return (nodes ?? []).map((node) => {
    if ('String' in node) return node.String.sval ?? '';
    throw unsupportedSql('this form of a name', at, 'Write the name alone.');
  });
}

/** Returns the last name of a function, operator or type, and rejects any schema except PostgreSQL's own. */
export function builtInName(nodes: readonly Node[] | undefined, construct: string, at: number): string {
  const names = listNames(nodes, at);
  const last = names.at(-1) ?? '';
  if (names.length > 2 || (names.length === 2 && names[0] !== 'pg_catalog')) {
    throw unsupportedSql(
      `${construct} ${names.join('.')}`,
      at,
      'Write the name without a schema: only what PostgreSQL has itself can be called.',
    );
  }
  return last;
}

/** Returns an integer constant. */
export function requireIntegerConstant(node: Node, what: string, at: number): number {
  if (!('A_Const' in node) || node.A_Const.ival === undefined)
    throw unsupportedSql(`${what} that is not a constant integer`, at, 'Write it as a number, as in 10.');
  return node.A_Const.ival.ival ?? 0;
}
