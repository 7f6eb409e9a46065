import type { Node, SelectStmt } from 'libpg-query';
import type { Expression } from '../expression.ts';
import { groupKey, hasSeveralSpellings, groupRepresentative } from '../expressions/ordering.ts';
import type { Compilation } from './compilation-context.ts';
import type { Output } from './targets.ts';

/** The expressions of DISTINCT ON; none for a plain DISTINCT, which is parsed as a list of one empty node. */
export const distinctOn = ({ distinctClause = [] }: SelectStmt): readonly Node[] =>
  distinctClause.filter((node) => Object.keys(node).length > 0);

/** Whether rows that are alike are one. */
export const isDistinct = (statement: SelectStmt): boolean =>
  statement.distinctClause !== undefined && distinctOn(statement).length === 0;

interface SelectText {
  readonly statement: SelectStmt;
  readonly outputs: readonly DistinctOutput[];
  /** The select list, with the names of the outputs. */
  readonly list: (columnOf: (output: DistinctOutput) => string) => string;
  /** FROM and all behind it. */
  readonly rest: string;
  /** The name of the key that rows carry, where they depend on rows around the query. */
  readonly key: string | undefined;
}

/** Completes SELECT, each row once if the statement says so. */
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
 * Each of the rows once, and of values that are equal and written in several ways the least.
 * @param columns those of the rows by their names there, and the names that they get
 * @param key the name of a further column
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

/** Output columns with their names in the engine; where equal ones are made one, what is equal is written alike. */
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
