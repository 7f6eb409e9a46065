import type { Node, SelectStmt } from 'libpg-query';
import { isAggregate } from '../expressions/aggregates.ts';
import { groupKey, hasManyForms, oneForAll } from '../expressions/ordering.ts';
import { resolveUnknown } from '../expressions/casts.ts';
import type { Expression } from '../expression.ts';
import { invalid, unsupported } from '../fault.ts';
import { compileColumn } from './columns.ts';
import type { Grouping, GroupKey, Scope } from './compilation.ts';
import { compileExpression } from './compile.ts';
import { locationOf, namesOf, opened } from './syntax.ts';
import type { Target } from './targets.ts';

/** Whether an expression counts over several rows; what stands in its subqueries is theirs. */
function hasAggregate(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if (Array.isArray(node)) return node.some(hasAggregate);
  if ('SelectStmt' in node) return false;
  if ('FuncCall' in node) {
    const call = (node as Extract<Node, { FuncCall: unknown }>).FuncCall;
    const name = namesOf(call.funcname, call.location ?? 0).at(-1) ?? '';
    if (call.over === undefined && isAggregate(name)) return true;
  }
  return Object.values(node).some(hasAggregate);
}

/** Makes rows into groups where a query says so, by GROUP BY or by an aggregate. */
export function groupingOf(
  statement: SelectStmt,
  rows: Scope,
  targets: readonly Target[],
): Grouping | undefined {
  const { groupClause = [], havingClause, sortClause } = statement;
  const aggregates =
    hasAggregate(statement.targetList) || hasAggregate(sortClause) || havingClause !== undefined;
  if (groupClause.length === 0 && !aggregates) return undefined;
  const scope: Scope = { ...rows, place: { clause: 'GROUP BY', aggregates: false, windows: false } };
  const grouping: Grouping = { keys: [], aggregates: [], rows };
  for (const node of groupClause) {
    if ('GroupingSet' in node)
      throw unsupported('GROUPING SETS, ROLLUP and CUBE', node.GroupingSet.location ?? 0);
    addKey(grouping, groupedNode(node, scope, targets), scope);
  }
  return grouping;
}

function addKey(grouping: Grouping, node: Node, scope: Scope): void {
  const { sql, type } = resolveUnknown(compileExpression(node, scope));
  if (grouping.keys.some((key) => key.sql === sql)) return;
  const name = scope.compilation.name();
  grouping.keys.push({ sql, type, name, text: fingerprint(node, scope) });
}

/** What an item of GROUP BY means: a number is the place of an output column, a name that no column has is an alias. */
function groupedNode(node: Node, scope: Scope, targets: readonly Target[]): Node {
  const at = locationOf(node);
  if ('A_Const' in node) return targetAt(node, targets, 'GROUP BY', at).node;
  const name = singleName(node);
  if (name === undefined) return node;
  try {
    compileExpression(node, scope);
    return node;
  } catch (fault) {
    const target = targets.find((candidate) => candidate.alias === name);
    if (target === undefined) throw fault;
    return target.node;
  }
}

export const singleName = (node: Node): string | undefined => {
  if (!('ColumnRef' in node) || node.ColumnRef.fields?.length !== 1) return undefined;
  const [field] = node.ColumnRef.fields;
  return field !== undefined && 'String' in field ? field.String.sval : undefined;
};

/** The output column that a number in GROUP BY or ORDER BY means. */
export function targetAt<Item>(
  node: Extract<Node, { A_Const: unknown }>,
  targets: readonly Item[],
  clause: string,
  at: number,
): Item {
  const { ival } = node.A_Const;
  if (ival === undefined) throw invalid(`a literal in ${clause} has to be the number of a column`, at);
  const target = targets[(ival.ival ?? 0) - 1];
  if (target === undefined) throw invalid(`${clause} ${String(ival.ival ?? 0)}: there is no such column`, at);
  return target;
}

/** The key of the groups that an expression is, word for word. */
export function groupKeyOf(node: Node, { grouping }: Scope): Expression | undefined {
  if (grouping === undefined || 'ColumnRef' in node || 'A_Const' in node) return undefined;
  const text = fingerprint(node, grouping.rows);
  const key = grouping.keys.find((candidate) => candidate.text === text);
  return key === undefined ? undefined : { sql: key.name, type: key.type, at: locationOf(node) };
}

/** A text that two expressions share when they are the same: the tree without its positions, columns by what they mean. */
function fingerprint(node: Node, scope: Scope): string {
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    if ('ColumnRef' in value) {
      try {
        return compileColumn((value as Extract<Node, { ColumnRef: unknown }>).ColumnRef, scope).sql;
      } catch {
        return withoutLocation(value, plain);
      }
    }
    return withoutLocation(value, plain);
  };
  return JSON.stringify([opened(node)[0], plain(node)]);
}

const positions = new Set(['location', 'list_start', 'list_end', 'rexpr_list_start', 'rexpr_list_end']);

const withoutLocation = (value: object, plain: (part: unknown) => unknown): object =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !positions.has(name))
      .map(([name, part]) => [name, plain(part)]),
  );

/** The engine's columns of a grouped query: its keys, then its aggregates. */
export const groupedColumns = ({ keys, aggregates }: Grouping): string[] => [
  ...keys.map((key) => `${standsForGroup(key)} AS ${key.name}`),
  ...aggregates.map(({ sql, name }) => `${sql} AS ${name}`),
];

const standsForGroup = ({ sql, type }: GroupKey): string =>
  oneForAll({ sql, type, at: 0 }, 'grouping by', (value) => `min(${value})`);

/** What stands behind GROUP BY. */
export const groupItems = ({ keys }: Grouping): string[] =>
  keys.map(({ sql, name, type }) => (hasManyForms(type) ? groupKey({ sql, type, at: 0 }) : name));
