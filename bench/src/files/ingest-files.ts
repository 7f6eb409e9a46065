import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { labelSetOf } from '../data/label-sets.ts';
import { generateRecords } from '../data/records.ts';

export const ingestFormats = ['csv', 'ndjson', 'parquet'] as const;
export type IngestFormat = (typeof ingestFormats)[number];

/** The columns of the files, with the types that the other engines give them. */
export const ingestColumns = [
  ['id', 'Int64', 'bigint'],
  ['name', 'String', 'text'],
  ['city', 'String', 'text'],
  ['text', 'String', 'text'],
  ['age', 'Int64', 'bigint'],
  ['amount', 'Float64', 'float8'],
  ['date', 'String', 'text'],
  ['label', 'String', 'text'],
] as const;

/** The same rows as files of several formats. */
export interface IngestFiles {
  rows: number;
  /** The path of the file of a format. */
  pathOf(format: IngestFormat): string;
  /** The size of a file in bytes. */
  sizeOf(format: IngestFormat): Promise<number>;
}

/** The column `label` of the rows has these labels. */
export const ingestLabels = labelSetOf(6);

const rowsAtOnce = 20_000;

/**
 * Writes the rows as a CSV, an NDJSON and a Parquet file. Every user of the machine can read the first two, because
 * PostgreSQL runs as another user.
 * @param folder an existing folder
 * @param toParquet converts the NDJSON file to the Parquet file
 */
export async function writeIngestFiles(
  folder: string,
  count: number,
  toParquet: (ndjson: string, parquet: string) => Promise<void>,
): Promise<IngestFiles> {
  const pathOf = (format: IngestFormat): string => join(folder, `rows.${format}`);
  const names = ingestColumns.map(([name]) => name);
  const csv = createWriteStream(pathOf('csv'), { mode: 0o644 });
  const ndjson = createWriteStream(pathOf('ndjson'), { mode: 0o644 });
  csv.write(`${names.join(',')}\n`);
  await generateRecords({
    count,
    batchSize: rowsAtOnce,
    labelSet: ingestLabels,
    toBatch: (records) => {
      const rows = records.map((record) => JSON.parse(record) as Record<string, string | number>);
      // No value contains a comma, a quote or a newline, so CSV needs no quotes.
      csv.write(rows.map((row) => `${names.map((name) => String(row[name])).join(',')}\n`).join(''));
      ndjson.write(rows.map((row) => `${JSON.stringify(row, names)}\n`).join(''));
    },
  });
  for (const file of [csv, ndjson]) {
    file.end();
    await once(file, 'finish');
  }
  await toParquet(pathOf('ndjson'), pathOf('parquet'));
  return { rows: count, pathOf, sizeOf: async (format) => (await stat(pathOf(format))).size };
}
