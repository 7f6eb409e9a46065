import type { FuncCall, Node, SelectStmt } from 'libpg-query';
import { isAggregate } from '../expressions/aggregate/aggregates.ts';
import { isSetReturning } from '../expressions/set-returning-functions.ts';
import { invalidSql, unsupportedSql, type SqlCompileError } from '../sql-compile-error.ts';
import { fromHint } from '../instead.ts';
import type { Scope } from './compilation-context.ts';
import { crossJoin } from './from.ts';
import { functionRows } from './compile-function-rows.ts';
import { hasAggregate, hasCall, printTreeKey } from './grouping.ts';
import type { ParsedSql } from './parse-sql.ts';
import { hoistedFunctionsTable, type Column, type FromItem, type Relation } from './relation.ts';
import { listNames } from './syntax.ts';

/** A statement without functions that give rows in its select list, and those functions, each once. */
interface Lifted {
  readonly statement: SelectStmt;
  readonly calls: readonly FuncCall[];
}

/** What the column of a function is referred to by, which is not how it is called in an answer. */
const liftedColumn = (place: number): string => `${hoistedFunctionsTable}${String(place)}`;

type Fault = (at: number) => SqlCompileError;

const notWithin = (construct: string): Fault => {
  return (at) => invalidSql(`set-returning functions are not allowed in ${construct}`, at);
};

const notAs = (construct: string): Fault => {
  return (at) => invalidSql(`argument of ${construct} must not return a set`, at);
};

const notInCalls = (kind: string): Fault => {
  return (at) => invalidSql(`${kind} function calls cannot contain set-returning function calls`, at);
};

/** Why no function that gives rows can stand in an expression of this kind. */
function faultOf(node: Node): Fault | undefined {
  if ('CaseExpr' in node) return notWithin('CASE');
  if ('CoalesceExpr' in node) return notWithin('COALESCE');
  if ('BoolExpr' in node) return notAs((node.BoolExpr.boolop ?? '').replace('_EXPR', ''));
  if ('BooleanTest' in node) return notAs('IS TRUE');
  if ('SubLink' in node) return (at) => invalidSql('row comparison operator must not return a set', at);
  if ('GroupingFunc' in node)
    return (at) => unsupportedSql('GROUPING of a function that gives rows', at, fromHint);
  if (!('A_Expr' in node)) return undefined;
  const { kind = 'AEXPR_OP' } = node.A_Expr;
  if (kind.includes('BETWEEN')) return notAs('AND');
  // A list of one means =, which PostgreSQL takes for a condition then.
  return kind === 'AEXPR_IN'
    ? (at) => unsupportedSql('IN of a function that gives rows', at, fromHint)
    : undefined;
}

/**
 * Takes functions that give rows out of a select list and puts columns of a table into their places:
 * `SELECT unnest(a) FROM t` means `SELECT u FROM t, unnest(a) u`.
 * @throws SqlFault where PostgreSQL refuses them, and where it calls them once windows or groups are made
 */
export function hoistSetReturningCalls(statement: SelectStmt, parsed: ParsedSql): Lifted {
  const { targetList, sortClause, groupClause, distinctClause, windowClause } = statement;
  const all = [targetList, sortClause, groupClause, distinctClause, windowClause];
  // Most statements call none, and are not copied.
  if (!hasCall(all, isSetReturning)) return { statement, calls: [] };
  const calls = new Map<string, FuncCall>();
  let window: FuncCall | undefined;
  const reference = (call: FuncCall): Node => {
    const text = printTreeKey(call, parsed);
    if (!calls.has(text)) calls.set(text, call);
    const place = [...calls.keys()].indexOf(text);
    const fields = [hoistedFunctionsTable, liftedColumn(place)].map((sval): Node => ({ String: { sval } }));
    return { ColumnRef: { fields, location: call.location ?? 0 } };
  };
  /** @param fault why none can stand here */
  const lift = (part: unknown, fault?: Fault): unknown => {
    if (Array.isArray(part)) return part.map((item) => lift(item, fault));
    if (typeof part !== 'object' || part === null || 'SelectStmt' in part) return part;
    let within = faultOf(part as Node) ?? fault;
    if ('FuncCall' in part) {
      const call = part.FuncCall as FuncCall;
      const at = call.location ?? 0;
      const name = listNames(call.funcname, at).at(-1) ?? '';
      if (isSetReturning(name)) {
        if (fault !== undefined) throw fault(at);
        if (hasAggregate(call))
          throw unsupportedSql(
            'an aggregate inside a function that gives rows',
            at,
            'Take the aggregate in a subquery of FROM first.',
          );
        if (call.over !== undefined) throw unsupportedSql(`the window function ${name}`, at, fromHint);
        lift(call, (place) =>
          unsupportedSql('a function that gives rows inside another one', place, fromHint),
        );
        return reference(call);
      }
      if (call.over !== undefined) {
        window = call;
        lift(call.over, (place) => unsupportedSql('a window by a function that gives rows', place, fromHint));
      }
      if (call.over !== undefined || isAggregate(name))
        within = notInCalls(call.over === undefined ? 'aggregate' : 'window');
    }
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, lift(value, within)]));
  };
  const clauses = ['targetList', 'sortClause', 'groupClause', 'distinctClause'] as const;
  const own = clauses.flatMap((name) => (statement[name] === undefined ? [] : [[name, statement[name]]]));
  const lifted = lift(Object.fromEntries(own)) as Partial<SelectStmt>;
  lift(windowClause, (at) => unsupportedSql('a window by a function that gives rows', at, fromHint));
  if (window !== undefined)
    throw unsupportedSql(
      'a window function beside a function that gives rows',
      window.location ?? 0,
      fromHint,
    );
  return { statement: { ...statement, ...lifted }, calls: [...calls.values()] };
}

/** FROM with the functions of a select list beside it, which only what stands in their places can name. */
export function joinHoistedFunctions(
  calls: readonly FuncCall[],
  from: FromItem | undefined,
  scope: Scope,
): FromItem | undefined {
  const [first] = calls;
  if (first === undefined) return from;
  const at = first.location ?? 0;
  const rows = functionRows(calls, scope, from, at);
  if (rows.columns.length > calls.length)
    throw unsupportedSql('a function that gives several columns in the select list', at, fromHint);
  const columns = rows.columns.map(({ of, get }): Column => ({ name: of, get }));
  const places = new Map(columns.map((column, place) => [liftedColumn(place), column]));
  const relation: Relation = {
    id: rows.id,
    alias: hoistedFunctionsTable,
    columns: () => [],
    find: ([name]) => places.get(name?.folded ?? ''),
  };
  const item = rows.item([relation]);
  scope.relations.push(relation);
  return from === undefined ? item : crossJoin(from, item, scope);
}
