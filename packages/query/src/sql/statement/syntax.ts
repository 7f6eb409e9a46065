import type { Node } from 'libpg-query';
import { unsupported } from '../fault.ts';

/** A node of the tree: its kind and its body. */
export function opened(node: Node): [string, Record<string, unknown>] {
  const [entry] = Object.entries(node) as [string, Record<string, unknown>][];
  if (entry === undefined) throw new Error('A node of the tree is empty.');
  return entry;
}

/** Where a node stands, as far as it says; otherwise `fallback`. */
export function locationOf(node: Node | undefined, fallback = 0): number {
  if (node === undefined) return fallback;
  const [, body] = opened(node);
  // A function in FROM is a list of calls, each in a list with its columns.
  if ('RangeFunction' in node) return locationOf(node.RangeFunction.functions?.[0], fallback);
  if ('List' in node) return locationOf(node.List.items?.[0], fallback);
  const { location } = body;
  return typeof location === 'number' && location >= 0 ? location : fallback;
}

/**
 * Refuses a construct with anything about it that is not handled, so that no part of a statement is passed over: what
 * the parser knows and this compiler has never heard of is an error.
 */
export function onlyFields(body: object, handled: readonly string[], construct: string, at: number): void {
  for (const [name, value] of Object.entries(body)) {
    if (handled.includes(name) || value === undefined || value === false) continue;
    throw unsupported(`${construct} with ${fieldNames[name] ?? name}`, at);
  }
}

const fieldNames: Record<string, string> = {
  lockingClause: 'FOR UPDATE or FOR SHARE',
  intoClause: 'INTO',
  groupDistinct: 'GROUP BY DISTINCT',
  lateral: 'LATERAL',
  ordinality: 'WITH ORDINALITY',
  is_rowsfrom: 'ROWS FROM',
  coldeflist: 'a list of column definitions',
  func_variadic: 'VARIADIC',
  setof: 'SETOF',
  pct_type: '%TYPE',
  schemaname: 'a schema name',
  catalogname: 'a database name',
  join_using_alias: 'an alias of USING',
  search_clause: 'SEARCH',
  cycle_clause: 'CYCLE',
  recursive: 'RECURSIVE',
};

/** The names of a list of String nodes: `pg_catalog.int8`. */
export function namesOf(nodes: readonly Node[] | undefined, at: number): string[] {
  return (nodes ?? []).map((node) => {
    if ('String' in node) return node.String.sval ?? '';
    throw unsupported('this form of a name', at);
  });
}

/** The last name of a function, operator or type, where only those of PostgreSQL itself can be meant. */
export function builtInName(nodes: readonly Node[] | undefined, construct: string, at: number): string {
  const names = namesOf(nodes, at);
  const last = names.at(-1) ?? '';
  if (names.length > 2 || (names.length === 2 && names[0] !== 'pg_catalog')) {
    throw unsupported(`${construct} ${names.join('.')}`, at);
  }
  return last;
}

/** A whole number that is written out. */
export function wholeConstant(node: Node, what: string, at: number): number {
  if (!('A_Const' in node) || node.A_Const.ival === undefined)
    throw unsupported(`${what} that is no whole number`, at);
  return node.A_Const.ival.ival ?? 0;
}
