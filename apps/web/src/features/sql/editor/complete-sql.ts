import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { splitStatements } from '../statements.ts';
import { sqlFunctions } from './sql-functions.ts';

/** The types of columns by dataset and column name. */
export type SqlSchema = ReadonlyMap<string, Readonly<Record<string, { type: string }>>>;

/** Writes a name for a statement. It is in double quotes, unless it is a plain name in lower case. */
export const quoteName = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;

/** The text of a statement that reads a dataset. */
export const queryOf = (dataset: string): string => `SELECT * FROM ${quoteName(dataset)}`;

const functions: readonly Completion[] = sqlFunctions.map((name) => ({
  label: name,
  apply: `${name}(`,
  type: 'function',
  boost: -1,
}));

const statementAt = (text: string, at: number): string => {
  const found = splitStatements(text).find(({ from, to }) => from <= at && at <= to);
  return found === undefined ? '' : text.slice(found.from, found.to);
};

/** The datasets that a statement names after FROM, JOIN or a comma. */
export const datasetsIn = (statement: string, schema: SqlSchema): string[] => {
  const names = [
    ...statement.matchAll(/\b(?:from|join|,)\s*(?:"((?:[^"]|"")+)"|([\p{L}_][\p{L}\p{N}_]*))/giu),
  ];
  return names.flatMap(([, quoted, plain]) => {
    const name = quoted?.replaceAll('""', '"') ?? plain ?? '';
    return [...schema.keys()].filter(
      (one) => one === name || (plain !== undefined && one.toLowerCase() === name.toLowerCase()),
    );
  });
};

const columnsOf = (dataset: string, schema: SqlSchema): Completion[] =>
  Object.entries(schema.get(dataset) ?? {}).map(([name, { type }]) => ({
    label: name,
    apply: quoteName(name),
    detail: type,
    type: 'property',
    boost: 2,
  }));

/**
 * Creates a completion source for datasets, columns of the datasets that the statement names, and
 * documented functions.
 */
export const completeSql =
  (schema: () => SqlSchema) =>
  (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/"[^"\n]*|[\p{L}_][\p{L}\p{N}_.]*/u);
    if (word === null && !context.explicit) return null;
    const statement = statementAt(context.state.doc.toString(), context.pos);
    const known = schema();
    const named = datasetsIn(statement, known);
    const datasets = [...known.keys()].map((name): Completion => ({
      label: name,
      apply: quoteName(name),
      detail: 'dataset',
      type: 'class',
      boost: 1,
    }));
    const options = [...new Set(named)].flatMap((dataset) => columnsOf(dataset, known));
    return {
      from: word?.from ?? context.pos,
      options: [...options, ...datasets, ...functions],
      // CodeMirror would compare the names with the typed text including its quote, and find none.
      ...(word?.text.startsWith('"') === true && { filter: false }),
    };
  };
