import type { ColumnRef } from 'libpg-query';
import type { Expression } from '../expression.ts';
import { invalidSql, unsupportedSql } from '../sql-compile-error.ts';
import type { Grouping, Scope } from './compilation-context.ts';
import { sourceNames, type NameLookup, type WrittenName } from './names.ts';
import { hoistedFunctionsTable, type Column, type Relation } from './relation.ts';
import { listNames } from './syntax.ts';

/** Resolves a reference to its names in the statement, the column, and the query of the column. */
function resolve(
  reference: ColumnRef,
  scope: Scope,
): { names: readonly WrittenName[]; found: { column: Column; around: Scope } | undefined } {
  const at = reference.location ?? 0;
  const names = sourceNames(scope.compilation.parsed, at, listNames(reference.fields, at));
  for (let around: Scope | undefined = scope; around !== undefined; around = around.outer) {
    const column = findColumn(names, around.relations, at);
    if (column !== undefined) return { names, found: { column, around } };
  }
  const table = tableNamed(names, scope);
  const row = table?.relation.row;
  return { names, found: table && row && { column: row, around: table.around } };
}

/** Compiles a column reference, with or without a table name, to a column of this query or of an outer one. */
export function compileColumn(reference: ColumnRef, scope: Scope): Expression {
  const at = reference.location ?? 0;
  const { names, found } = resolve(reference, scope);
  if (found === undefined)
    throw tableNamed(names, scope) === undefined ? noColumn(names, at) : wholeRow(names, at);
  const { column, around } = found;
  const own =
    around.grouping === undefined
      ? column.get(at)
      : groupedColumn(column.get(at), around.grouping, names, at, around !== scope);
  return passDown(own, scope, around, printNames(names));
}

const noColumn = (names: readonly WrittenName[], at: number): Error =>
  invalidSql(
    `the column "${printNames(names)}" does not exist`,
    at,
    'Name a column that records you can read have. Write a text in single quotes, and a name with capital letters in double quotes.',
  );

/** Creates the error for a table name as a value, which means the whole row in PostgreSQL. */
const wholeRow = (names: readonly WrittenName[], at: number): Error =>
  unsupportedSql(`the row of "${printNames(names)}" as a value`, at, 'Name its columns.');

/** Finds a table by its name or alias, and the scope of its query. */
function tableNamed(
  [name, ...rest]: readonly WrittenName[],
  scope: Scope,
): { relation: Relation; around: Scope } | undefined {
  if (name === undefined || rest.length > 0) return undefined;
  for (let around: Scope | undefined = scope; around !== undefined; around = around.outer) {
    const relation = around.relations.find(({ alias }) => isAlias(alias, name));
    if (relation !== undefined) return { relation, around };
  }
  return undefined;
}

/** Passes a value of an outer query to this query, through all queries between them. */
function passDown(value: Expression, scope: Scope, around: Scope, name: string): Expression {
  if (scope === around || scope.outer === undefined) return value;
  const there = passDown(value, scope.outer, around, name);
  if (scope.correlation === undefined) {
    throw unsupportedSql(
      `the column "${name}" of a query around this one in ${scope.place.clause}`,
      value.at,
      'Join the tables in FROM, or move the condition to WHERE.',
    );
  }
  return scope.correlation.column(there);
}

/** Returns the output name of a column: its own name, whatever the letter case of the reference. */
export function columnName(reference: ColumnRef, scope: Scope): string {
  const { names, found } = resolve(reference, scope);
  if (found === undefined) return last(names);
  const { name } = found.column;
  return name.includes('.') && names.length > 1 ? last(names) : name;
}

const last = (names: readonly WrittenName[]): string => names.at(-1)?.written ?? '';

const printNames = (names: readonly WrittenName[]): string => names.map(({ written }) => written).join('.');

/** Compiles a column in a query with groups, where it must have one value for each group. */
function groupedColumn(
  column: Expression,
  grouping: Grouping,
  names: readonly WrittenName[],
  at: number,
  isOuter: boolean,
): Expression {
  const key = grouping.keys.find(({ sql }) => sql === column.sql);
  if (key !== undefined) return { sql: key.name, type: key.type, at };
  // The column may be inside an aggregate that belongs to the outer query.
  if (isOuter)
    throw unsupportedSql(
      `the column "${printNames(names)}" of a query around this one that groups its rows`,
      at,
      'Group in a subquery of FROM or WITH first, and name its columns.',
    );
  // PostgreSQL calls the function for each group.
  if (names[0]?.folded === hoistedFunctionsTable)
    throw unsupportedSql(
      'a set-returning function beside GROUP BY or HAVING',
      at,
      'Group in a subquery of FROM, and call the function in the query around it.',
    );
  throw invalidSql(
    `the column "${printNames(names)}" must appear in the GROUP BY clause or be used in an aggregate function`,
    at,
  );
}

function findColumn(
  names: readonly WrittenName[],
  relations: readonly Relation[],
  at: number,
): Column | undefined {
  const [first, ...rest] = names;
  if (first === undefined) throw unsupportedSql('this reference', at, 'Name a column.');
  const [table] = rest.length === 0 ? [] : relations.filter(({ alias }) => isAlias(alias, first));
  if (table !== undefined) {
    const column = table.find(rest);
    if (column === undefined) throw noColumn(names, at);
    return unambiguous(column, names, at);
  }
  const found = relations
    .filter(({ merged }) => rest.length > 0 || merged?.has(first.folded) !== true)
    .map((relation) => relation.find(names))
    .filter((column) => column !== undefined);
  if (found.length > 1) return unambiguous('ambiguous', names, at);
  return found[0] === undefined ? undefined : unambiguous(found[0], names, at);
}

const isAlias = (alias: string | undefined, name: WrittenName): boolean =>
  alias !== undefined &&
  (alias === name.folded ||
    alias === name.written ||
    (!name.quoted && alias.toLowerCase() === name.folded.toLowerCase()));

function unambiguous(
  column: Exclude<NameLookup<Column>, undefined>,
  names: readonly WrittenName[],
  at: number,
): Column {
  if (column !== 'ambiguous') return column;
  throw invalidSql(`the column "${printNames(names)}" is ambiguous: write the table's name before it`, at);
}

/** Returns the columns of `*` or `t.*`. */
export function starColumns(reference: ColumnRef, scope: Scope): Column[] {
  const at = reference.location ?? 0;
  const fields = (reference.fields ?? []).slice(0, -1);
  if (fields.length === 0) {
    if (scope.relations.every(({ alias }) => alias === hoistedFunctionsTable))
      throw invalidSql('SELECT * needs a FROM', at);
    return scope.relations.flatMap((relation) => relation.columns());
  }
  const [name, ...more] = sourceNames(scope.compilation.parsed, at, listNames(fields, at));
  if (name === undefined || more.length > 0)
    throw unsupportedSql('a "*" of a nested field', at, 'Name the fields in it.');
  const table = scope.relations.find(({ alias }) => isAlias(alias, name));
  if (table === undefined) throw invalidSql(`there is no table "${name.written}" in FROM`, at);
  return [...(table.own ?? table.columns)()];
}

export const isStar = (reference: ColumnRef): boolean => {
  const last = reference.fields?.at(-1);
  return last !== undefined && 'A_Star' in last;
};
