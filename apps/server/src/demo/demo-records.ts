import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';

type Row = Record<string, string>;
/** A record of the demo, with the region that its label names. */
type DemoRecord = Record<string, string | number | null>;

const examples = join(import.meta.dirname, '../../../../examples');
const readRows = async (file: string): Promise<Row[]> =>
  parse<Row>(await readFile(join(examples, file), 'utf8'), { columns: true });

/** The field of the demo records that holds the label. */
export const labelField = 'access';
const labelOf = (continent: string): string => `REGION:${continent}`;

const textColumns = new Set(['ident', 'dme_channel', 'keywords', 'code', 'name', 'associated_airport']);

/** Numbers become numbers and empty cells null; identifiers that look like numbers stay text. */
const valueOf = (column: string, cell: string): string | number | null => {
  if (cell === '') return null;
  return !textColumns.has(column) && /^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : cell;
};

const toRecord = (row: Row, continent: string): DemoRecord => ({
  ...Object.fromEntries(Object.entries(row).map(([column, cell]) => [column, valueOf(column, cell)])),
  [labelField]: labelOf(continent),
});

/** Reads the navigation aids and the countries; the field `access` of each record holds the label of its continent. */
export const readDemoRecords = async (): Promise<{ navaids: DemoRecord[]; countries: DemoRecord[] }> => {
  const [countries, navaids] = await Promise.all([readRows('countries.csv'), readRows('navaids.csv')]);
  const continentOf = new Map(countries.map(({ code, continent }) => [code, continent]));
  return {
    countries: countries.map((row) => toRecord(row, row.continent ?? 'NONE')),
    navaids: navaids.map((row) => toRecord(row, continentOf.get(row.iso_country) ?? 'NONE')),
  };
};
