import { referenceStatementSettings } from '../chdb/statements.ts';
import { hitsFields, type HitsField, type HitsKind } from './hits-records.ts';
import type { HitsQuery } from './queries.ts';

/** How an engine is asked. */
interface Dialect {
  /** The table in FROM. */
  readonly table: string;
  /** A column as an expression. */
  column(name: HitsField): string;
  /** The condition on labels, where the engine does not see to it. */
  readonly seen?: string;
  /** What stands for `*`: the whole record. */
  readonly record: string;
  /** Where a query has words for this engine alone. */
  readonly own?: 'byHand' | 'inDuckDb';
  readonly settings?: string;
}

function written(query: HitsQuery, dialect: Dialect): string {
  const { where, rest } = query;
  const { select } = (dialect.own === undefined ? undefined : query[dialect.own]) ?? query;
  const conditions = [dialect.seen, where].filter((condition) => condition !== undefined);
  const text = [
    `SELECT ${query.gives === 'records' ? dialect.record : select} FROM ${dialect.table}`,
    ...(conditions.length === 0 ? [] : [`WHERE ${conditions.join(' AND ')}`]),
    ...(rest === undefined ? [] : [rest]),
    ...(dialect.settings === undefined ? [] : [dialect.settings]),
  ].join(' ');
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => dialect.column(fieldOf(name)));
}

function fieldOf(name: string): HitsField {
  if (!(name in hitsFields)) throw new Error(`A hit has no field ${name}.`);
  return name as HitsField;
}

const docTypes: Record<HitsKind, string> = { whole: 'Int64', text: 'String', time: 'String', day: 'String' };
const jsonbCasts: Record<HitsKind, string> = {
  whole: '::bigint',
  text: '',
  time: '::timestamp',
  day: '::date',
};

export const forOurs = (query: HitsQuery, datasetId: string): string =>
  written(query, { table: `"${datasetId}"`, column: (name) => name, record: '*' });

/** Over the table that our server made, as somebody who knows the engine and this table would write it. */
export const forChdb = (query: HitsQuery, table: string, seen: string): string =>
  written(query, {
    table,
    seen,
    column: (name) => `doc.${name}.:${docTypes[hitsFields[name]]}`,
    record: 'raw',
    own: 'byHand',
    settings: referenceStatementSettings,
  });

/** jsonb, with the labels left to row-level security. */
export const forPostgres = (query: HitsQuery): string =>
  written(query, {
    table: 'hits',
    column: (name) => `(body->>'${name}')${jsonbCasts[hitsFields[name]]}`,
    record: 'body::text',
  });

/** Typed columns, made of the records beforehand. */
export const forDuckDb = (query: HitsQuery): string =>
  written(query, {
    table: 'hits',
    seen: 'label_id IN (SELECT id FROM visible)',
    own: 'inDuckDb',
    column: (name) => name,
    record: 'raw',
  });

const duckDbTypes: Record<HitsKind, string> = {
  whole: 'BIGINT',
  text: 'VARCHAR',
  time: 'TIMESTAMP',
  day: 'DATE',
};

const fields = Object.keys(hitsFields).map(fieldOf);

/** Every field as a column of the engine's table. */
export const engineColumns = fields
  .map((name) => `doc.${name}.:${docTypes[hitsFields[name]]} AS ${name}`)
  .join(', ');

/** The typed columns that DuckDB makes of records. */
export const duckDbColumns = fields
  .map((name) => `CAST(raw->>'$.${name}' AS ${duckDbTypes[hitsFields[name]]}) AS ${name}`)
  .join(', ');
