import { letIn } from '../expressions/engine-sql.ts';
import type { FuncCall } from 'libpg-query';
import {
  compileSetReturningCall,
  isSetReturning,
  type SetReturningCall,
} from '../expressions/set-returning-functions.ts';
import type { Expression } from '../expression.ts';
import { unsupportedSql } from '../sql-compile-error.ts';
import { setHint } from '../instead.ts';
import { toScalarType, type SqlType } from '../types.ts';
import { trackRelations, type Scope } from './compilation-context.ts';
import { compileExpression } from './statement-compilers.ts';
import { findCorrelation } from './correlation.ts';
import type { Column, FromItem, Relation } from './relation.ts';
import { builtInName, requireKnownFields } from './syntax.ts';

/** A column of a set-returning function. */
interface FunctionColumn {
  /** Its fixed name; undefined if it is named after the table alias. */
  readonly name: string | undefined;
  /** The name of the function. */
  readonly of: string;
  readonly get: Column['get'];
}

/** The rows of combined functions, before they get an alias. */
interface FunctionRows {
  /** The id of the relation. */
  readonly id: number;
  readonly columns: readonly FunctionColumn[];
  /** The number of each row, from 1. */
  readonly ordinal: Column['get'];
  item(relations: readonly Relation[]): FromItem;
}

/**
 * Compiles the rows of one or more functions. If a function has fewer rows than another, its columns are NULL.
 * @param left the items before them, whose columns they can use
 */
export function functionRows(
  calls: readonly FuncCall[],
  scope: Scope,
  left: FromItem | undefined,
  at: number,
): FunctionRows {
  const { compilation } = scope;
  const before = left?.relations ?? [];
  const others = scope.relations.filter((relation) => !before.includes(relation));
  const correlation = findCorrelation(scope.outer, compilation);
  const inside: Scope = {
    ...scope,
    relations: [...others, ...before],
    correlation,
    level: undefined,
    place: { clause: 'functions in FROM', aggregates: false, windows: false },
  };
  const { result: sets, touched } = trackRelations(compilation, () =>
    calls.map((call) => rowsOf(call, inside)),
  );
  const names = (relations: readonly Relation[]): boolean => relations.some(({ id }) => touched.has(id));
  if (names(others))
    throw unsupportedSql(
      'a function in a join that names columns of tables before the join',
      at,
      'Join the tables in a subquery first, and call the function behind it.',
    );

  const id = compilation.id();
  const row = compilation.name();
  const used = new Map<string, string>();
  const nameOf = (sql: string): string => {
    const known = used.get(sql) ?? compilation.name();
    used.set(sql, known);
    return known;
  };
  const column =
    (sql: string, type: SqlType): Column['get'] =>
    (location): Expression => {
      compilation.touched.add(id);
      return { sql: nameOf(sql), type, at: location };
    };
  const ordinal = `tupleElement(${row}, 1)`;
  const columns = sets.flatMap(({ name: of, rows }, place) =>
    rows.columns.map((own, n): FunctionColumn => {
      const held = `tupleElement(tupleElement(${row}, ${String(place + 2)}), ${String(n + 1)})`;
      const sql = own.of?.(held) ?? held;
      return { name: own.name, of, get: column(sql, own.type) };
    }),
  );
  // Nests two SELECTs, because within one the engine would compute the rows again for each column.
  const rowsFrom = (from: string | undefined, isOptional: boolean): string => {
    const list = Array.from(used, ([sql, name]) => `${sql} AS ${name}`).join(', ');
    const own = `arrayJoin(${sideBySide(sets, isOptional)}) AS ${row}`;
    const rows = from === undefined ? `SELECT ${own}` : `SELECT *, ${own} FROM ${from}`;
    return list === '' ? rows : `SELECT *, ${list} FROM (${rows})`;
  };

  const item = (relations: readonly Relation[]): FromItem => {
    const outside = compilation.name();
    // The rows of an array have the order of the array, so their number is the tie-breaker.
    const common = { relations, simple: true, tieBreakers: () => [nameOf(ordinal)] };
    if (correlation?.isUsed() === true) {
      if (names(before))
        throw unsupportedSql(
          'a function of columns around the query and of its own',
          at,
          'Call it in the query whose columns it names, or join that table in.',
        );
      return {
        ...common,
        key: correlation.key,
        render: () => `(${rowsFrom(correlation.render(), false)}) AS ${outside}`,
      };
    }
    if (names(before)) return { ...common, lateral: rowsFrom, render: () => outside };
    return { ...common, render: () => `(${rowsFrom(undefined, false)}) AS ${outside}` };
  };
  return { id, columns, ordinal: column(ordinal, toScalarType('bigint')), item };
}

interface NamedRows {
  readonly name: string;
  readonly rows: SetReturningCall;
}

function rowsOf(call: FuncCall, scope: Scope): NamedRows {
  const at = call.location ?? 0;
  requireKnownFields(call, ['funcname', 'args', 'funcformat', 'location'], 'a set-returning function', at);
  const name = builtInName(call.funcname, 'the function', at);
  const { args = [] } = call;
  if (!isSetReturning(name)) throw unsupportedSql(`the function ${name} in FROM`, at, setHint);
  const compiled = args.map((node) => compileExpression(node, scope));
  const rows = compileSetReturningCall(name, compiled, at);
  scope.compilation.wrote(rows.list);
  return { name, rows };
}

/**
 * Prints the array of rows, each a tuple of its number and the values of each function.
 * @param isOptional whether to return one row of NULL if there are none
 */
function sideBySide(sets: readonly NamedRows[], isOptional: boolean): string {
  const lists = Object.fromEntries(sets.map(({ rows }, n) => [`r_list${String(n)}`, rows.list]));
  const names = Object.keys(lists);
  const [only] = names;
  if (names.length === 1 && !isOptional)
    return letIn(
      lists,
      `arrayZip(CAST(arrayEnumerate(${String(only)}) AS Array(Nullable(Int64))), ${String(only)})`,
    );
  const longest = `greatest(${names.map((name) => `length(${name})`).join(', ')}, 0)`;
  const numbers = 'CAST(range(1, r_count + 1) AS Array(Nullable(Int64)))';
  const ordinals = isOptional ? `if(r_count = 0, [NULL], ${numbers})` : numbers;
  const size = isOptional ? 'greatest(r_count, 1)' : 'r_count';
  // Pads the arrays to the same length with tuples of NULL.
  const columns = names.map((name) => `arrayResize(${name}, ${size})`);
  return letIn(lists, letIn({ r_count: longest }, `arrayZip(${[ordinals, ...columns].join(', ')})`));
}
