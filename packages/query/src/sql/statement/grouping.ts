import type { ColumnRef, FuncCall, Node, SelectStmt } from 'libpg-query';
import { isAggregate } from '../expressions/aggregate/aggregates.ts';
import { groupKey, hasSeveralSpellings, groupRepresentative } from '../expressions/ordering.ts';
import { resolveUnknownLiteral } from '../expressions/casts.ts';
import { numberLiteral } from '../expressions/literals.ts';
import type { Expression } from '../expression.ts';
import { invalidSql } from '../sql-compile-error.ts';
import { toScalarType } from '../types.ts';
import { compileColumn, isStar } from './compile-column.ts';
import type { Grouping, GroupKey, Scope } from './compilation-context.ts';
import { compileExpression } from './statement-compilers.ts';
import { hasGroupingSets, expandGroupingSets } from './grouping-sets.ts';
import { inferColumnName } from './infer-column-name.ts';
import { sourceNames } from './names.ts';
import type { ParsedSql } from './parse-sql.ts';
import { locationOf, listNames, unwrapNode } from './syntax.ts';
import type { Target } from './targets.ts';

/** Whether an expression contains a node of some kind, outside its subqueries. */
function hasNode(node: unknown, isSought: (node: object) => boolean): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if (Array.isArray(node)) return node.some((item) => hasNode(item, isSought));
  if ('SelectStmt' in node) return false;
  return isSought(node) || Object.values(node).some((part) => hasNode(part, isSought));
}

type CallTest = (name: string, call: FuncCall) => boolean;

const isCall = (node: object, isSought: CallTest): boolean => {
  if (!('FuncCall' in node)) return false;
  const call = node.FuncCall as FuncCall;
  return isSought(listNames(call.funcname, call.location ?? 0).at(-1) ?? '', call);
};

/** Whether an expression calls a function of some kind. */
export const hasCall = (node: unknown, isSought: CallTest): boolean =>
  hasNode(node, (part) => isCall(part, isSought));

/** Whether an expression contains an aggregate. */
export const hasAggregate = (node: unknown): boolean =>
  hasNode(
    node,
    (part) =>
      'GroupingFunc' in part || isCall(part, (name, call) => call.over === undefined && isAggregate(name)),
  );

/** Compiles the grouping of a query with GROUP BY, HAVING or aggregates. */
export function compileGrouping(
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
  const placeOf = (node: Node): number => addKey(grouping, groupedNode(node, scope, targets), scope);
  if (!hasGroupingSets(groupClause)) {
    for (const node of expandGroupingSets(groupClause).flat()) placeOf(node);
    return grouping;
  }
  const all = expandGroupingSets(groupClause).map((set) =>
    [...new Set(set.map(placeOf))].toSorted((a, b) => a - b),
  );
  const isNew = (set: readonly number[], at: number): boolean =>
    all.findIndex((other) => String(other) === String(set)) === at;
  const sets = statement.groupDistinct === true ? all.filter(isNew) : all;
  return { ...grouping, sets: { sets, number: rows.compilation.name(), marks: new Map() } };
}

/** Returns the index of a key, and adds it if it is new. */
function addKey({ keys }: Grouping, node: Node, scope: Scope): number {
  const { sql, type } = resolveUnknownLiteral(compileExpression(node, scope));
  const known = keys.findIndex((key) => key.sql === sql);
  if (known !== -1) return known;
  return keys.push({ sql, type, name: scope.compilation.name(), node, text: fingerprint(node, scope) }) - 1;
}

/** Compiles GROUPING(a, b): a bit for each argument, which is 1 if the group is not grouped by it. */
export function compileGroupingFunction(args: readonly Node[], scope: Scope, at: number): Expression {
  const { grouping } = scope;
  const places = args.map((node) => {
    const sql = grouping === undefined ? '' : compileExpression(node, grouping.rows).sql;
    const place = grouping?.keys.findIndex((key) => key.sql === sql) ?? -1;
    if (place !== -1) return place;
    throw invalidSql('arguments to GROUPING must be grouping expressions of the associated query level', at);
  });
  const type = toScalarType('integer');
  const sets = grouping?.sets;
  if (sets === undefined) return numberLiteral('0', at);
  const marks = sets.sets.map((set) =>
    places.reduce((bits, place) => bits * 2 + (set.includes(place) ? 0 : 1), 0),
  );
  const known = [...sets.marks].find(([, values]) => String(values) === String(marks));
  const name = known?.[0] ?? scope.compilation.name();
  sets.marks.set(name, marks);
  return { sql: name, type, at };
}

/**
 * Resolves an item of GROUP BY: a number is the position of an output column, and a name is the name of an output
 * column if no column of FROM has it.
 */
function groupedNode(node: Node, scope: Scope, targets: readonly Target[]): Node {
  const at = locationOf(node);
  if ('A_Const' in node) return outputAtPosition(node, targets, 'GROUP BY', at).node;
  const name = singleName(node);
  if (name === undefined) return node;
  try {
    compileExpression(node, scope);
    return node;
  } catch (error) {
    const target = targets.find(
      (one) =>
        !('ColumnRef' in one.node && isStar(one.node.ColumnRef)) &&
        (one.alias ?? inferColumnName(one.node, scope)) === name,
    );
    if (target === undefined) throw error;
    return target.node;
  }
}

export const singleName = (node: Node): string | undefined => {
  if (!('ColumnRef' in node) || node.ColumnRef.fields?.length !== 1) return undefined;
  const [field] = node.ColumnRef.fields;
  return field !== undefined && 'String' in field ? field.String.sval : undefined;
};

/** Returns the output column for a number in GROUP BY or ORDER BY. */
export function outputAtPosition<Item>(
  node: Extract<Node, { A_Const: unknown }>,
  targets: readonly Item[],
  clause: string,
  at: number,
): Item {
  const { ival } = node.A_Const;
  if (ival === undefined) throw invalidSql(`a literal in ${clause} has to be the number of a column`, at);
  const target = targets[(ival.ival ?? 0) - 1];
  if (target === undefined)
    throw invalidSql(`${clause} ${String(ival.ival ?? 0)}: there is no such column`, at);
  return target;
}

/** Finds the key that is the same expression. */
export function groupKeyOf(node: Node, { grouping }: Scope): Expression | undefined {
  if (grouping === undefined || 'ColumnRef' in node) return undefined;
  // A constant is a key only at the output column that GROUP BY names, not where the same constant occurs elsewhere.
  const text = 'A_Const' in node ? undefined : fingerprint(node, grouping.rows);
  const key = grouping.keys.find((candidate) => candidate.node === node || candidate.text === text);
  return key === undefined ? undefined : { sql: key.name, type: key.type, at: locationOf(node) };
}

/**
 * Returns a text that is equal for equal expressions: the tree without positions and with its column names resolved.
 */
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
  return JSON.stringify([unwrapNode(node)[0], plain(node)]);
}

const positions = new Set(['location', 'list_start', 'list_end', 'rexpr_list_start', 'rexpr_list_end']);

/** A text that is equal for trees that differ only in positions, with names as in the statement. */
export const printTreeKey = (node: object, parsed: ParsedSql): string =>
  JSON.stringify(node, (key, part: unknown) => {
    if (positions.has(key)) return undefined;
    if (key !== 'ColumnRef') return part;
    const { fields, location = 0 } = part as ColumnRef;
    return isStar(part as ColumnRef) ? part : sourceNames(parsed, location, listNames(fields, location));
  });

const withoutLocation = (value: object, plain: (part: unknown) => unknown): object =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !positions.has(name))
      .map(([name, part]) => [name, plain(part)]),
  );

/** Prints the value of a key in the groups. */
export const groupKeyValue = ({ sql, type }: GroupKey): string =>
  groupRepresentative({ sql, type, at: 0 }, 'grouping by', (value) => `min(${value})`);

/** Prints the item of GROUP BY for a key. */
export const groupItem = ({ sql, name, type }: GroupKey): string =>
  hasSeveralSpellings(type) ? groupKey({ sql, type, at: 0 }) : name;
