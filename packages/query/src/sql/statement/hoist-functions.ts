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

/** A statement whose set-returning functions have been hoisted from the select list, and the distinct calls. */
interface HoistedStatement {
  readonly statement: SelectStmt;
  readonly calls: readonly FuncCall[];
}

/** The internal name of the column of a hoisted function, which is not its output name. */
const hoistedColumn = (place: number): string => `${hoistedFunctionsTable}${String(place)}`;

type CreateError = (at: number) => SqlCompileError;

const notWithin = (construct: string): CreateError => {
  return (at) => invalidSql(`set-returning functions are not allowed in ${construct}`, at);
};

const notAs = (construct: string): CreateError => {
  return (at) => invalidSql(`argument of ${construct} must not return a set`, at);
};

const notInCalls = (kind: string): CreateError => {
  return (at) => invalidSql(`${kind} function calls cannot contain set-returning function calls`, at);
};

/** Returns the error for a set-returning function inside an expression of this kind, if it is not allowed there. */
function findError(node: Node): CreateError | undefined {
  if ('CaseExpr' in node) return notWithin('CASE');
  if ('CoalesceExpr' in node) return notWithin('COALESCE');
  if ('BoolExpr' in node) return notAs((node.BoolExpr.boolop ?? '').replace('_EXPR', ''));
  if ('BooleanTest' in node) return notAs('IS TRUE');
  if ('SubLink' in node) return (at) => invalidSql('row comparison operator must not return a set', at);
  if ('GroupingFunc' in node)
    return (at) => unsupportedSql('GROUPING of a set-returning function', at, fromHint);
  if (!('A_Expr' in node)) return undefined;
  const { kind = 'AEXPR_OP' } = node.A_Expr;
  if (kind.includes('BETWEEN')) return notAs('AND');
  // PostgreSQL treats a list of one value as a condition with =, and accepts the function there. So IN is unsupported
  // and not invalid.
  return kind === 'AEXPR_IN'
    ? (at) => unsupportedSql('IN of a set-returning function', at, fromHint)
    : undefined;
}

/**
 * Hoists set-returning functions from the select list into FROM: `SELECT unnest(a) FROM t` becomes `SELECT u FROM t,
 * unnest(a) u`.
 * @throws SqlCompileError where PostgreSQL rejects them, and where it would call them after windows or grouping
 */
export function hoistSetReturningCalls(statement: SelectStmt, parsed: ParsedSql): HoistedStatement {
  const { targetList, sortClause, groupClause, distinctClause, windowClause } = statement;
  const all = [targetList, sortClause, groupClause, distinctClause, windowClause];
  // Most statements call none, so they need no copy.
  if (!hasCall(all, isSetReturning)) return { statement, calls: [] };
  const calls = new Map<string, FuncCall>();
  let window: FuncCall | undefined;
  const reference = (call: FuncCall): Node => {
    const text = printTreeKey(call, parsed);
    if (!calls.has(text)) calls.set(text, call);
    const place = [...calls.keys()].indexOf(text);
    const fields = [hoistedFunctionsTable, hoistedColumn(place)].map((sval): Node => ({ String: { sval } }));
    return { ColumnRef: { fields, location: call.location ?? 0 } };
  };
  /** @param createError creates the error if no call is allowed here */
  const hoist = (part: unknown, createError?: CreateError): unknown => {
    if (Array.isArray(part)) return part.map((item) => hoist(item, createError));
    if (typeof part !== 'object' || part === null || 'SelectStmt' in part) return part;
    let within = findError(part as Node) ?? createError;
    if ('FuncCall' in part) {
      const call = part.FuncCall as FuncCall;
      const at = call.location ?? 0;
      const name = listNames(call.funcname, at).at(-1) ?? '';
      if (isSetReturning(name)) {
        if (createError !== undefined) throw createError(at);
        if (hasAggregate(call))
          throw unsupportedSql(
            'an aggregate inside a set-returning function',
            at,
            'Compute the aggregate in a subquery in FROM first.',
          );
        if (call.over !== undefined) throw unsupportedSql(`the window function ${name}`, at, fromHint);
        hoist(call, (place) =>
          unsupportedSql('a set-returning function inside another one', place, fromHint),
        );
        return reference(call);
      }
      if (call.over !== undefined) {
        window = call;
        hoist(call.over, (place) => unsupportedSql('a window by a set-returning function', place, fromHint));
      }
      if (call.over !== undefined || isAggregate(name))
        within = notInCalls(call.over === undefined ? 'aggregate' : 'window');
    }
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, hoist(value, within)]));
  };
  const clauses = ['targetList', 'sortClause', 'groupClause', 'distinctClause'] as const;
  const own = clauses.flatMap((name) => (statement[name] === undefined ? [] : [[name, statement[name]]]));
  const lifted = hoist(Object.fromEntries(own)) as Partial<SelectStmt>;
  hoist(windowClause, (at) => unsupportedSql('a window by a set-returning function', at, fromHint));
  if (window !== undefined)
    throw unsupportedSql('a window function beside a set-returning function', window.location ?? 0, fromHint);
  return { statement: { ...statement, ...lifted }, calls: [...calls.values()] };
}

/** Joins the hoisted functions to FROM. Only the columns that replace them can refer to them. */
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
    throw unsupportedSql('a set-returning function with several columns in the select list', at, fromHint);
  const columns = rows.columns.map(({ of, get }): Column => ({ name: of, get }));
  const places = new Map(columns.map((column, place) => [hoistedColumn(place), column]));
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
