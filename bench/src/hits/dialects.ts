import { referenceStatementSettings } from '../chdb/statements.ts';
import { hitsFields, type HitsField, type HitsKind } from './hits-records.ts';
import type { HitsQuery } from './queries.ts';

/** How a query is written for an engine. */
interface Dialect {
  /** The table in FROM. */
  readonly table: string;
  /** The expression of a column. */
  column(name: HitsField): string;
  /** The label predicate, if the engine does not apply it itself. */
  readonly labelPredicate?: string;
  /** The expression for `*`, the whole record. */
  readonly record: string;
  /** The property of a query that contains the text for this engine, if the query has it. */
  readonly own?: 'byHand' | 'inDuckDb';
  readonly settings?: string;
}

function writeQuery(query: HitsQuery, dialect: Dialect): string {
  const { where, rest } = query;
  const { select } = (dialect.own === undefined ? undefined : query[dialect.own]) ?? query;
  const conditions = [dialect.labelPredicate, where].filter((condition) => condition !== undefined);
  const text = [
    `SELECT ${query.gives === 'records' ? dialect.record : select} FROM ${dialect.table}`,
    ...(conditions.length === 0 ? [] : [`WHERE ${conditions.join(' AND ')}`]),
    ...(rest === undefined ? [] : [rest]),
    ...(dialect.settings === undefined ? [] : [dialect.settings]),
  ].join(' ');
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => dialect.column(fieldOf(name)));
}

function fieldOf(name: string): HitsField {
  if (!(name in hitsFields)) throw new Error(`Unknown field of a hit: ${name}.`);
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
  writeQuery(query, { table: `"${datasetId}"`, column: (name) => name, record: '*' });

/** A query on the table that Redoubt created, as an expert of the engine would write it. */
export const forChdb = (query: HitsQuery, table: string, labelPredicate: string): string =>
  writeQuery(query, {
    table,
    labelPredicate,
    column: (name) => `doc.${name}.:${docTypes[hitsFields[name]]}`,
    record: 'raw',
    own: 'byHand',
    settings: referenceStatementSettings,
  });

/** A query on jsonb; row-level security applies the labels. */
export const forPostgres = (query: HitsQuery): string =>
  writeQuery(query, {
    table: 'hits',
    column: (name) => `(body->>'${name}')${jsonbCasts[hitsFields[name]]}`,
    record: 'body::text',
  });

/** A query on typed columns, which were extracted from the records when loading. */
export const forDuckDb = (query: HitsQuery): string =>
  writeQuery(query, {
    table: 'hits',
    labelPredicate: 'label_id IN (SELECT id FROM visible)',
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

/** All fields as columns of the engine's table. */
export const engineColumns = fields
  .map((name) => `doc.${name}.:${docTypes[hitsFields[name]]} AS ${name}`)
  .join(', ');

/** The expressions by which DuckDB extracts typed columns from the records. */
export const duckDbColumns = fields
  .map((name) => `CAST(raw->>'$.${name}' AS ${duckDbTypes[hitsFields[name]]}) AS ${name}`)
  .join(', ');
