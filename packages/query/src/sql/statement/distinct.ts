import type { Node, SelectStmt } from 'libpg-query';
import type { Expression } from '../expression.ts';
import { groupKey, hasSeveralSpellings, groupRepresentative } from '../expressions/ordering.ts';
import type { Compilation } from './compilation-context.ts';
import type { Output } from './targets.ts';

/** Returns the expressions of DISTINCT ON. A plain DISTINCT has none: it is parsed as a list of one empty node. */
export const distinctOn = ({ distinctClause = [] }: SelectStmt): readonly Node[] =>
  distinctClause.filter((node) => Object.keys(node).length > 0);

/** Whether the SELECT has a plain DISTINCT. */
export const isDistinct = (statement: SelectStmt): boolean =>
  statement.distinctClause !== undefined && distinctOn(statement).length === 0;

interface SelectText {
  readonly statement: SelectStmt;
  readonly outputs: readonly DistinctOutput[];
  /** Prints the select list with the names of the outputs. */
  readonly list: (columnOf: (output: DistinctOutput) => string) => string;
  /** FROM and all clauses after it. */
  readonly rest: string;
  /** The name of the correlation key, if the rows depend on outer rows. */
  readonly key: string | undefined;
}

/** Prints the SELECT, with DISTINCT if the statement has it. */
export function printSelect(
  { statement, outputs, list, rest, key }: SelectText,
  compilation: Compilation,
): string {
  const isPlain = !isDistinct(statement) || !outputs.some(({ value }) => hasSeveralSpellings(value.type));
  if (isPlain) {
    return `SELECT ${isDistinct(statement) ? 'DISTINCT ' : ''}${list(({ column }) => column)}${rest}`;
  }
  const rows = outputs.map(({ value, column }) => ({ ...value, column, sql: compilation.name() }));
  const inner = `SELECT ${list((output) => rows[outputs.indexOf(output)]?.sql ?? '')}${rest}`;
  return selectDistinctMinimum(rows, inner, key);
}

/**
 * Removes duplicate rows. Of values that are equal but differ in notation, it keeps the smallest in the engine's order.
 * @param columns the columns of the rows, with their new names
 * @param key the name of another column to keep
 */
export function selectDistinctMinimum(
  columns: readonly (Expression & { readonly column: string })[],
  rows: string,
  key: string | undefined,
): string {
  const further = key === undefined ? [] : [key];
  const list = columns.map(
    (value) => `${hasSeveralSpellings(value.type) ? `min(${value.sql})` : value.sql} AS ${value.column}`,
  );
  const keys = columns.map((value) => groupKey(value, 'DISTINCT on'));
  return `SELECT ${[...list, ...further].join(', ')} FROM (${rows}) GROUP BY ${[...keys, ...further].join(', ')}`;
}

type DistinctOutput = Output & { readonly column: string };

/** Names the output columns in the engine. If duplicates are removed, equal values are converted to one notation. */
export const distinctOutputs = (
  statement: SelectStmt,
  outputs: readonly Output[],
  nameOf: (sql: string) => string,
): DistinctOutput[] =>
  outputs.map(({ name, value }) => ({
    name,
    value: isDistinct(statement)
      ? { ...value, sql: groupRepresentative(value, 'DISTINCT on', (sql) => sql) }
      : value,
    column: nameOf(value.sql),
  }));
