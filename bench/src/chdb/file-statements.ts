import { quoteString } from '@redoubt/query';
import { ingestColumns } from '../files/ingest-files.ts';

const structure = ingestColumns.map(([name, type]) => `${name} ${type}`).join(', ');
const names = ingestColumns.map(([name]) => name);

const formatOf = (path: string): string =>
  path.endsWith('.csv') ? 'CSVWithNames' : path.endsWith('.ndjson') ? 'JSONEachRow' : 'Parquet';

const source = (path: string): string =>
  `file(${quoteString(path)}, ${quoteString(formatOf(path))}, ${quoteString(structure)})`;

/** Writes the rows of a file to another file. */
export const convertStatement = (from: string, to: string): string =>
  `INSERT INTO FUNCTION ${source(to)} SELECT ${names.join(', ')} FROM ${source(from)}`;

const values = names.map((name) => `toString(${name})`).join(", ' ', ");

/**
 * Inserts the rows of a file into a table of records, as an expert would write it by hand. Other columns stay empty.
 */
export const insertFileStatement = (table: string, path: string): string => `
INSERT INTO ${table} (record_id, label_id, ingested_at, raw, doc, fields, words)
SELECT
  toString(generateUUIDv7()),
  cityHash64(label) % 6,
  now64(3),
  formatRow('JSONEachRow', ${names.join(', ')}) AS text,
  text,
  [0, 1, 2, 3, 4, 5, 6, 7],
  arrayStringConcat(arrayDistinct(splitByNonAlpha(lower(concat(${values})))), ' ')
FROM ${source(path)}`;
