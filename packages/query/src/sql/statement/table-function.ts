import type { FuncCall, Node, RangeFunction } from 'libpg-query';
import { invalidSql, unsupportedSql } from '../sql-compile-error.ts';
import { setHint } from '../instead.ts';
import type { Scope } from './compilation-context.ts';
import { functionRows } from './compile-function-rows.ts';
import { findUniqueColumn, type Column, type FromItem, type Relation } from './relation.ts';
import { listNames, requireKnownFields } from './syntax.ts';

/**
 * Compiles one or more set-returning functions in FROM.
 * @param left the items before it, whose columns it can use
 */
export function tableFunction(range: RangeFunction, scope: Scope, left: FromItem | undefined): FromItem {
  const calls = callsOf(range);
  const at = calls[0]?.location ?? 0;
  const { alias, ordinality = false } = range;
  const fields = ['functions', 'alias', 'lateral', 'ordinality', 'is_rowsfrom'];
  requireKnownFields(range, fields, 'a function in FROM', at);
  const rows = functionRows(calls, scope, left, at);
  const [first] = rows.columns;
  const isScalar = rows.columns.length === 1;
  const called = alias?.aliasname ?? first?.of ?? '';
  const named = rows.columns.map(({ name, of, get }) => ({ name: name ?? (isScalar ? called : of), get }));
  if (ordinality) named.push({ name: 'ordinality', get: rows.ordinal });
  const names = listNames(alias?.colnames, at);
  if (names.length > named.length) {
    throw invalidSql(
      `${called} gives ${named.length === 1 ? 'one column' : `${String(named.length)} columns`}`,
      at,
    );
  }
  const columns = named.map((column, n): Column => ({ ...column, name: names[n] ?? column.name }));
  const relation: Relation = {
    id: rows.id,
    alias: called,
    columns: () => columns,
    find: (sought) => findUniqueColumn(columns, sought),
    // If each row is a single value, the table alias means this value.
    ...(isScalar && !ordinality && first !== undefined ? { row: { name: called, get: first.get } } : {}),
  };
  return rows.item([relation]);
}

/** Returns the combined calls: those of ROWS FROM, or one `unnest` for each argument. */
function callsOf({ functions = [] }: RangeFunction): readonly FuncCall[] {
  const calls = functions.map((list) => {
    const [node, definitions] = 'List' in list ? (list.List.items ?? []) : [];
    if (node === undefined || !('FuncCall' in node))
      throw unsupportedSql('this function in FROM', 0, setHint);
    const { FuncCall: call } = node;
    if (definitions !== undefined && Object.keys(definitions).length > 0)
      throw unsupportedSql(
        'a function in FROM with a list of column definitions',
        call.location ?? 0,
        'Leave the list out and name columns by an alias.',
      );
    return call;
  });
  return calls.flatMap((call) => {
    const { args = [], funcname, location = 0 } = call;
    const isUnnest = args.length > 1 && listNames(funcname, location).at(-1) === 'unnest';
    return isUnnest ? args.map((argument: Node): FuncCall => ({ ...call, args: [argument] })) : [call];
  });
}
