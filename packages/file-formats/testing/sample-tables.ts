import { pythonWith } from '@redoubt/testkit';
import { execFile } from 'node:child_process';
import { glob } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const packages = ['bokeh-sampledata==2026.1', 'pandas==3.1.1'];
const script = join(import.meta.dirname, 'read_tables.py');
const run = promisify(execFile);
const maxOutput = 1 << 28;

/** A CSV file, perhaps compressed, with its cells as pandas reads them. */
export interface SampleTable {
  readonly path: string;
  readonly rows: readonly (readonly string[])[];
}

/** A JSON file, perhaps compressed, with its records as Python reads them: a number is `{ number: its digits }`. */
export interface SampleDocument {
  readonly path: string;
  readonly rows: readonly unknown[];
}

/** The tables and the JSON files of bokeh-sampledata, or why there are none. */
export async function readSamples(): Promise<{
  missing: string | false;
  tables: readonly SampleTable[];
  documents: readonly SampleDocument[];
}> {
  const python = await pythonWith(...packages);
  if ('missing' in python) return { missing: python.missing, tables: [], documents: [] };
  const { command, folder: cwd } = python;
  const paths = await Array.fromAsync(
    glob('lib/python*/site-packages/bokeh_sampledata/_data/*.{csv,json,geojson}{,.gz}', { cwd }),
  );
  const { stdout } = await run(command, [script, ...paths.toSorted()], { cwd, maxBuffer: maxOutput });
  const samples = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as SampleTable)
    .map(({ path, rows }) => ({ path: join(cwd, path), rows }));
  const [tables = [], documents = []] = [true, false].map((isTable) =>
    samples.filter(({ path }) => basename(path).includes('.csv') === isTable),
  );
  return { missing: false, tables, documents };
}
