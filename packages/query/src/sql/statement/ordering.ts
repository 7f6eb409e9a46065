import type { Node, SelectStmt } from 'libpg-query';
import { oneForAll } from '../expressions/ordering.ts';
import type { Expression } from '../expression.ts';
import { invalid } from '../fault.ts';
import { compileExpression } from './compile.ts';
import { singleName, targetAt } from './grouping.ts';
import type { SelectParts } from './select-parts.ts';
import { sortItem } from './sorting.ts';
import { locationOf } from './syntax.ts';

export interface SelectOrder {
  /** Items of ORDER BY, on columns by their names. */
  readonly items: readonly string[];
  /** The columns that the items need beside the output. */
  readonly columns: readonly { sql: string; name: string }[];
}

/** The order of a SELECT's rows: what it says itself, then what tells rows apart that it leaves alike. */
export function orderOf(parts: SelectParts): SelectOrder {
  const { statement, scope, outputs } = parts;
  const isDistinct = statement.distinctClause !== undefined;
  const columns: { sql: string; name: string }[] = [];
  const items = sortNodes(statement).map((sort) => {
    const value = sortedValue(sort.node, parts);
    const output = outputs.find(
      ({ value: { sql } }) =>
        sql === value.sql || (isDistinct && sql === oneForAll(value, 'DISTINCT on', (own) => own)),
    );
    if (output !== undefined) return sortItem(sort.by, { ...value, sql: output.column }).sql;
    if (isDistinct) {
      throw invalid('for SELECT DISTINCT, ORDER BY expressions must appear in the select list', value.at);
    }
    const name = scope.compilation.name();
    columns.push({ sql: value.sql, name });
    return sortItem(sort.by, { ...value, sql: name }).sql;
  });
  if (isDistinct) return { items: [...items, ...outputs.map(({ column }) => column)], columns };
  for (const sql of scope.tieBreakers?.() ?? []) {
    const name = scope.compilation.name();
    columns.push({ sql, name });
    items.push(name);
  }
  return { items, columns };
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

/** A number is the place of an output column; a single name is an output column before it is one of FROM. */
function sortedValue(node: Node, { outputs, scope }: SelectParts): Expression {
  const at = locationOf(node);
  if ('A_Const' in node) return targetAt(node, outputs, 'ORDER BY', at).value;
  const name = singleName(node);
  const named = name === undefined ? [] : outputs.filter((output) => output.name === name);
  const [output, ...others] = named;
  if (output !== undefined) {
    if (others.some(({ value }) => value.sql !== output.value.sql))
      throw invalid(`ORDER BY "${String(name)}" is ambiguous`, at);
    return output.value;
  }
  return compileExpression(node, { ...scope, place: { ...scope.place, clause: 'ORDER BY' } });
}
