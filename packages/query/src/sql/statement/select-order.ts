import type { Node, SelectStmt } from 'libpg-query';
import { resolveUnknownLiteral } from '../expressions/casts.ts';
import { groupKey, groupRepresentative, isUniqueSortKey } from '../expressions/ordering.ts';
import type { Expression } from '../expression.ts';
import { invalidSql } from '../sql-compile-error.ts';
import { compileExpression } from './statement-compilers.ts';
import { distinctOn, isDistinct } from './distinct.ts';
import { singleName, outputAtPosition } from './grouping.ts';
import type { SelectParts } from './select-parts.ts';
import { sortItem } from './sort-item.ts';
import { locationOf } from './syntax.ts';

export interface SelectOrder {
  /** Items of ORDER BY, by column names. */
  readonly items: readonly string[];
  /** The columns that the items need in addition to the output columns. */
  readonly columns: readonly { sql: string; name: string }[];
  /** For DISTINCT ON: only the first of the rows that agree in all these columns is kept. */
  readonly firstOf: readonly string[];
}

/** Compiles the order of rows: the items of ORDER BY, then tie-breakers. */
export function compileOrder(parts: SelectParts): SelectOrder {
  const { statement, scope, outputs, nameOf } = parts;
  const isPlain = isDistinct(statement);
  const columns: { sql: string; name: string }[] = [];
  const named = (value: Expression): Expression => {
    const output = outputs.find(
      ({ value: { sql } }) =>
        sql === value.sql || (isPlain && sql === groupRepresentative(value, 'DISTINCT on', (own) => own)),
    );
    if (output !== undefined) return { ...value, sql: output.column };
    if (isPlain) {
      throw invalidSql('for SELECT DISTINCT, ORDER BY expressions must appear in the select list', value.at);
    }
    const known = columns.find(({ sql }) => sql === value.sql);
    const name = known?.name ?? nameOf(value.sql);
    if (known === undefined) columns.push({ sql: value.sql, name });
    return { ...value, sql: name };
  };
  const sorted = sortNodes(statement).map(({ by, node }) => {
    const own = sortedValue(node, parts);
    return { by, own, value: named(own) };
  });
  const items = sorted.map(({ by, value }) => sortItem(by, value).sql);
  if (isPlain) return { items: [...items, ...outputs.map(({ column }) => column)], columns, firstOf: [] };
  const on = distinctOn(statement).map((node) => named(resolveUnknownLiteral(sortedValue(node, parts))));
  checkDistinctOn(
    on,
    sorted.map(({ value }) => value),
  );
  const uniqueKeys = new Set(sorted.flatMap(({ own }) => (isUniqueSortKey(own) ? [own.sql] : [])));
  for (const sql of scope.tieBreakers?.() ?? []) {
    if (uniqueKeys.has(sql)) continue;
    const name = nameOf(sql);
    columns.push({ sql, name });
    items.push(name);
  }
  return { items, columns, firstOf: on.map((value) => groupKey(value, 'DISTINCT ON')) };
}

/** Checks that ORDER BY starts with the expressions of DISTINCT ON, in any order. */
function checkDistinctOn(on: readonly Expression[], sorted: readonly Expression[]): void {
  const left = new Set(on.map(({ sql }) => sql));
  const all = new Set(left);
  for (const { sql, at } of sorted) {
    if (left.size === 0) return;
    if (!all.has(sql)) {
      throw invalidSql('SELECT DISTINCT ON expressions must match initial ORDER BY expressions', at);
    }
    left.delete(sql);
  }
}

interface SortNode {
  by: Parameters<typeof sortItem>[0];
  node: Node;
}

export const sortNodes = ({ sortClause }: SelectStmt): SortNode[] =>
  (sortClause ?? []).map((node) => {
    if (!('SortBy' in node) || node.SortBy.node === undefined) throw new Error('ORDER BY holds its items.');
    return { by: node.SortBy, node: node.SortBy.node };
  });

/**
 * Compiles an item of ORDER BY. A number is the position of an output column. A single name means an output column, or
 * else a column of FROM.
 */
function sortedValue(node: Node, { outputs, scope }: SelectParts): Expression {
  const at = locationOf(node);
  if ('A_Const' in node) return outputAtPosition(node, outputs, 'ORDER BY', at).value;
  const name = singleName(node);
  const named = name === undefined ? [] : outputs.filter((output) => output.name === name);
  const [output, ...others] = named;
  if (output !== undefined) {
    if (others.some(({ value }) => value.sql !== output.value.sql))
      throw invalidSql(`ORDER BY "${String(name)}" is ambiguous`, at);
    return output.value;
  }
  return compileExpression(node, { ...scope, place: { ...scope.place, clause: 'ORDER BY' } });
}
