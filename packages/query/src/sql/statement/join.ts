import type { JoinExpr, Node } from 'libpg-query';
import { invalidSql, SqlCompileError, unsupportedSql } from '../sql-compile-error.ts';
import { compileCast } from '../expressions/casts.ts';
import { commonTypeOrNone } from '../expressions/common-type.ts';
import { callFunction } from '../expressions/functions.ts';
import { joinKeys } from './join-keys.ts';
import type { Expression } from '../expression.ts';
import { sameType } from '../types.ts';
import { compileCondition, compileExpression } from './statement-compilers.ts';
import { trackRelations, type Compilation, type Scope } from './compilation-context.ts';
import { findCorrelation } from './correlation.ts';
import type { WrittenName } from './names.ts';
import { findUniqueColumn, type Column, type FromItem, type Relation } from './relation.ts';
import { builtInName, locationOf, listNames } from './syntax.ts';

const kinds: Partial<Record<string, string>> = {
  JOIN_INNER: 'INNER',
  JOIN_LEFT: 'LEFT',
  JOIN_RIGHT: 'RIGHT',
  JOIN_FULL: 'FULL',
};

/** The condition of a join: pairs of equal keys, other conditions on both rows, and conditions on no row. */
interface JoinCondition {
  keys: [left: string, right: string][];
  rest: string[];
  ofNoRow: string[];
}

/** Joins two parts of FROM. */
export function join(expression: JoinExpr, first: FromItem, second: FromItem, scope: Scope): FromItem {
  const kind = kinds[expression.jointype ?? ''];
  const at = locationOf(expression.rarg);
  if (kind === undefined)
    throw unsupportedSql('this kind of join', at, 'Use INNER, LEFT, RIGHT, FULL or CROSS JOIN.');
  const { compilation } = scope;
  if (second.lateral !== undefined) return joinFunctions(expression, kind, first, second, scope);
  const left = kind !== 'RIGHT' ? withKeyOf(second, first, kind, scope) : first;
  const right = kind !== 'LEFT' ? withKeyOf(left, second, kind, scope) : second;
  const using = expression.isNatural === true ? sharedNames(left, right, at) : usingNames(expression, at);
  const merged = using.length === 0 ? undefined : mergedColumns(using, left, right, kind, compilation, at);
  const waiting = kind === 'INNER' && scope.isOptional !== true ? scope.later : undefined;
  const condition =
    merged?.condition ?? onCondition(expression.quals, left, right, { ...scope, relations: [] }, waiting);
  if (right.matches !== undefined) {
    if (kind !== 'INNER' && kind !== 'LEFT') throw invalidSql('LATERAL needs an INNER or LEFT JOIN', at);
    condition.keys.push([...right.matches]);
  }
  const relations = merged?.relations ?? [...left.relations, ...right.relations];
  const tieBreakers = () => [...left.tieBreakers(), ...right.tieBreakers()];
  const key = keyOfJoin(kind, left, right, condition);
  if (kind === 'INNER' && condition.keys.length === 0) {
    const outside = compilation.name();
    const conditions = [...condition.rest, ...condition.ofNoRow];
    const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
    const render = () =>
      `(SELECT * FROM ${left.render()} CROSS JOIN ${renderAsJoinOperand(right, compilation)}${where}) AS ${outside}`;
    return { relations, simple: true, key, tieBreakers, render };
  }
  return {
    relations,
    simple: false,
    key,
    tieBreakers,
    render: () => renderJoin(kind, left, right, condition, compilation),
  };
}

/**
 * Joins each row with the rows that functions return for it. If `isOptional`, a row for which they return none is kept,
 * with NULL in their columns.
 */
export const joinLateralFunctions = (
  left: FromItem,
  { lateral, render }: FromItem,
  isOptional: boolean,
): string => `(${lateral?.(left.render(), isOptional) ?? ''}) AS ${render()}`;

/** Compiles a join with functions that use columns of the rows before them. */
function joinFunctions(
  { quals, usingClause, isNatural, rarg }: JoinExpr,
  kind: string,
  left: FromItem,
  right: FromItem,
  scope: Scope,
): FromItem {
  const { compilation } = scope;
  const at = locationOf(rarg);
  if (kind !== 'INNER' && kind !== 'LEFT') throw invalidSql('LATERAL needs an INNER or LEFT JOIN', at);
  if (isNatural === true)
    throw unsupportedSql(
      'NATURAL with a function of columns before it',
      at,
      'Write JOIN ... ON true, and the condition in WHERE.',
    );
  if (usingClause !== undefined)
    throw unsupportedSql(
      'USING with a function of columns before it',
      at,
      'Write JOIN ... ON true, and the condition in WHERE.',
    );
  const isTrue = quals === undefined || ('A_Const' in quals && quals.A_Const.boolval?.boolval === true);
  if (kind === 'LEFT' && !isTrue)
    throw unsupportedSql(
      'LEFT JOIN with a function of columns before it and a condition other than true',
      at,
      'Write ON true, and the condition in a subquery around the function.',
    );
  const relations = [...left.relations, ...right.relations];
  const place = { clause: 'JOIN conditions', aggregates: false, windows: false };
  const inside: Scope = { ...scope, relations, correlation: undefined, level: undefined, place };
  const where = isTrue ? '' : ` WHERE ${compileCondition(quals, inside)}`;
  const rows = (): string => joinLateralFunctions(left, right, kind === 'LEFT');
  const outside = compilation.name();
  return {
    relations,
    simple: true,
    key: left.key,
    tieBreakers: () => [...left.tieBreakers(), ...right.tieBreakers()],
    render: () => (where === '' ? rows() : `(SELECT * FROM ${rows()}${where}) AS ${outside}`),
  };
}

/** Returns the correlation key of a join. If both sides have one, they are joined on it. */
function keyOfJoin(
  kind: string,
  { key: left }: FromItem,
  { key: right }: FromItem,
  { keys }: JoinCondition,
): string | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  keys.push([left, right]);
  // In a row without a match, the key of the missing side is the empty text.
  if (kind === 'FULL') return `if(empty(${left}), ${right}, ${left})`;
  return kind === 'RIGHT' ? right : left;
}

/**
 * Adds the correlation key to the side of an outer join that does not have it, if the other side has it: the outer join
 * keeps rows without a match for each key, so all rows of this side are combined with each key.
 */
function withKeyOf(other: FromItem, item: FromItem, kind: string, { compilation, outer }: Scope): FromItem {
  if (other.key === undefined || item.key !== undefined || kind === 'INNER') return item;
  const correlation = findCorrelation(outer, compilation);
  if (correlation === undefined) throw new Error('What depends on rows around it has a domain.');
  const outside = compilation.name();
  return {
    ...item,
    simple: true,
    key: correlation.key,
    render: () => `(SELECT * FROM ${item.render()} CROSS JOIN ${correlation.render()}) AS ${outside}`,
  };
}

/** Joins two parts of FROM on one key each. */
export const joinOnKeys = (
  [first, second]: readonly [left: string, right: string],
  left: FromItem,
  right: FromItem,
  compilation: Compilation,
): FromItem => ({
  relations: [...left.relations, ...right.relations],
  simple: false,
  key: left.key,
  tieBreakers: () => [...left.tieBreakers(), ...right.tieBreakers()],
  render: () =>
    `${left.render()} INNER JOIN ${renderAsJoinOperand(right, compilation)} ON ${first} = ${second}`,
});

function renderJoin(
  kind: string,
  left: FromItem,
  right: FromItem,
  { keys, rest, ofNoRow }: JoinCondition,
  compilation: Compilation,
): string {
  // If WHERE removes rows without a match, the engine ignores conditions of ON that use no column, such as `1 = 2`. So
  // the first key depends on these conditions.
  const matching = (key: string): string =>
    ofNoRow.length === 0 ? key : `if(materialize(${ofNoRow.join(' AND ')}), ${key}, NULL)`;
  const [first, ...others] = keys;
  if (first !== undefined) {
    const pairs = [[matching(first[0]), first[1]] as const, ...others].map(([a, b]) => `${a} = ${b}`);
    return `${left.render()} ${kind} JOIN ${renderAsJoinOperand(right, compilation)} ON ${[...pairs, ...rest].join(' AND ')}`;
  }
  // The engine joins only on equal keys. If both sides have a constant key, the engine checks the condition for each
  // pair.
  const [a, b, c, d] = [compilation.name(), compilation.name(), compilation.name(), compilation.name()];
  const on = [`${matching(b)} = ${d}`, ...rest].join(' AND ');
  return `${withOneKey(left, b)} AS ${a} ${kind} JOIN ${withOneKey(right, d)} AS ${c} ON ${on}`;
}

/**
 * Renders an item with a constant key. The limit is larger than any result. It prevents the engine from flattening
 * nested joins, which would lose the key.
 */
const withOneKey = (item: FromItem, key: string): string =>
  `(SELECT *, materialize(toUInt8(1)) AS ${key} FROM ${item.render()} LIMIT ${String(Number.MAX_SAFE_INTEGER)})`;

/** Renders an item as the right operand of a join. */
export const renderAsJoinOperand = (item: FromItem, compilation: Compilation): string =>
  item.simple ? item.render() : `(SELECT * FROM ${item.render()}) AS ${compilation.name()}`;

const within = (touched: ReadonlySet<number>, item: FromItem): boolean =>
  [...touched].every((id) => item.relations.some((relation) => relation.id === id));

function onCondition(
  quals: Node | undefined,
  left: FromItem,
  right: FromItem,
  around: Scope,
  waiting: Scope['later'],
): JoinCondition {
  const { compilation } = around;
  const condition: JoinCondition = { keys: [], rest: [], ofNoRow: [] };
  const whole: Scope = {
    ...around,
    relations: [...left.relations, ...right.relations],
    place: { clause: 'JOIN conditions', aggregates: false, windows: false },
  };
  const scope: Scope = { ...whole, correlation: undefined, level: undefined };
  for (const part of conjuncts(quals)) {
    try {
      const key = equalityOf(part, left, right, scope, compilation);
      if (key !== undefined) {
        condition.keys.push(key);
        continue;
      }
      const { result, touched } = trackRelations(compilation, () => compileCondition(part, scope));
      const namesRow = whole.relations.some(({ id }) => touched.has(id));
      const list = namesRow || 'A_Const' in part ? condition.rest : condition.ofNoRow;
      // The engine treats NULL in ON as true.
      list.push(`ifNull(${result}, false)`);
    } catch (error) {
      // An unsupported condition of an inner join, such as one on outer rows, can move to WHERE with the same effect.
      const isUnsupported = error instanceof SqlCompileError && error.kind === 'unsupported';
      if (!isUnsupported || waiting === undefined) throw error;
      waiting.push(() => compileCondition(part, whole));
    }
  }
  return condition;
}

function conjuncts(node: Node | undefined): Node[] {
  if (node === undefined) return [];
  if ('BoolExpr' in node && node.BoolExpr.boolop === 'AND_EXPR')
    return (node.BoolExpr.args ?? []).flatMap(conjuncts);
  return [node];
}

/** Returns the keys of `a = b` if one side uses the left part and the other side the right part. */
function equalityOf(
  node: Node,
  left: FromItem,
  right: FromItem,
  scope: Scope,
  compilation: Compilation,
): [string, string] | undefined {
  if (!('A_Expr' in node) || node.A_Expr.kind !== 'AEXPR_OP') return undefined;
  const { lexpr, rexpr, name, location } = node.A_Expr;
  if (lexpr === undefined || rexpr === undefined) return undefined;
  if (builtInName(name, 'the operator', location ?? 0) !== '=') return undefined;
  const a = trackRelations(compilation, () => compileExpression(lexpr, scope));
  const b = trackRelations(compilation, () => compileExpression(rexpr, scope));
  if (a.touched.size === 0 || b.touched.size === 0) return undefined;
  if (within(a.touched, left) && within(b.touched, right)) return joinKeys(a.result, b.result, location ?? 0);
  if (within(a.touched, right) && within(b.touched, left)) return joinKeys(b.result, a.result, location ?? 0);
  return undefined;
}

const usingNames = ({ usingClause }: JoinExpr, at: number): WrittenName[] =>
  listNames(usingClause, at).map((name) => ({ folded: name, written: name, quoted: false }));

/** Returns the columns of NATURAL: those that both sides have, in the order of the left side. */
function sharedNames(left: FromItem, right: FromItem, at: number): WrittenName[] {
  const [first, second] = [left, right].map(({ relations }) =>
    relations.flatMap((relation) => relation.columns().map(({ name }) => name)),
  ) as [string[], string[]];
  const shared = first.filter((name) => second.includes(name));
  const twice = shared.find((name) =>
    [first, second].some((names) => names.filter((one) => one === name).length > 1),
  );
  if (twice !== undefined) throw invalidSql(`the column "${twice}" of NATURAL is ambiguous`, at);
  return shared.map((name) => ({ folded: name, written: name, quoted: true }));
}

/** Merges the columns of USING, and returns the relations with these columns. */
function mergedColumns(
  written: readonly WrittenName[],
  left: FromItem,
  right: FromItem,
  kind: string,
  compilation: Compilation,
  at: number,
): { condition: JoinCondition; relations: Relation[] } {
  const condition: JoinCondition = { keys: [], rest: [], ofNoRow: [] };
  const columns: Column[] = [];
  const names = written.map((name) => name.written);
  for (const one of written) {
    const a = columnNamed(left, one, at);
    const b = columnNamed(right, one, at);
    condition.keys.push(joinKeys(a.get(at), b.get(at), at));
    const value = (location: number): Expression => {
      const sides = [a.get(location), b.get(location)] as const;
      if (kind === 'FULL') return callFunction('coalesce', sides, location);
      const [first, second] = sides;
      const type = commonTypeOrNone(sides) ?? first.type;
      // Both values are equal in an inner join, so takes the side that already has the common type.
      const isSecond = kind === 'INNER' && !sameType(first.type, type) && sameType(second.type, type);
      return compileCast(kind === 'RIGHT' || isSecond ? second : first, type, location);
    };
    columns.push({ name: one.written, get: value });
  }
  const merged: Relation = {
    id: compilation.id(),
    alias: undefined,
    columns: () => columns,
    find: (reference) => findUniqueColumn(columns, reference),
  };
  return {
    condition,
    relations: [
      merged,
      ...[...left.relations, ...right.relations].map((relation) => withoutColumns(relation, names)),
    ],
  };
}

/** Hides the merged columns of a relation from `*` and from names without a table. */
function withoutColumns(relation: Relation, names: readonly string[]): Relation {
  return {
    ...relation,
    columns: () => relation.columns().filter(({ name }) => !names.includes(name)),
    own: relation.own ?? relation.columns,
    merged: new Set([...(relation.merged ?? []), ...names]),
  };
}

function columnNamed(item: FromItem, one: WrittenName, at: number): Column {
  const name = one.written;
  const found = item.relations
    .filter(({ merged }) => merged?.has(name) !== true)
    .map((relation) => relation.find([one]))
    .filter((column) => column !== undefined);
  const [column] = found;
  const ofUsing = `the column "${name}" of USING`;
  if (column === undefined) throw invalidSql(`${ofUsing} does not exist on both sides`, at);
  if (found.length > 1 || column === 'ambiguous') throw invalidSql(`${ofUsing} is ambiguous`, at);
  return column;
}
