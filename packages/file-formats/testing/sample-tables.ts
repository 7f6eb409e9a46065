import { pythonWith } from '@redoubt/testkit';
import { execFile } from 'node:child_process';
import { glob } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const packages = ['bokeh-sampledata==2026.1', 'pandas==3.1.1'];
const script = join(import.meta.dirname, 'read_tables.py');
const run = promisify(execFile);
const maxOutput = 1 << 28;
/** They have spaces before quotes, and quotes behind backslashes, which pandas takes for text by default. */
const otherDialects: ReadonlySet<string> = new Set(['sprint.csv', 'unemployment09.csv.gz']);

/** A CSV file, perhaps compressed, with its cells as pandas reads them. */
export interface SampleTable {
  readonly path: string;
  readonly rows: readonly (readonly string[])[];
}

/** The tables of bokeh-sampledata, or why there are none. */
export async function readSampleTables(): Promise<{
  missing: string | false;
  tables: readonly SampleTable[];
}> {
  const python = await pythonWith(...packages);
  if ('missing' in python) return { missing: python.missing, tables: [] };
  const { command, folder: cwd } = python;
  const paths = await Array.fromAsync(
    glob('lib/python*/site-packages/bokeh_sampledata/_data/*.{csv,csv.gz}', { cwd }),
  );
  const read = paths.filter((path) => !otherDialects.has(basename(path))).toSorted();
  const { stdout } = await run(command, [script, ...read], { cwd, maxBuffer: maxOutput });
  const tables = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as SampleTable);
  return { missing: false, tables: tables.map(({ path, rows }) => ({ path: join(cwd, path), rows })) };
}
