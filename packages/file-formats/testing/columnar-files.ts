import { pythonWith } from '@redoubt/testkit';
import { execFile } from 'node:child_process';
import { glob, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const packages = ['pyarrow==26.0.1', 'fastavro==1.13.1', 'cramjam==2.14.0', 'backports.zstd==1.8.0'];

const script = join(import.meta.dirname, 'write_columnar.py');
const run = promisify(execFile);

/** Columnar files that other programs wrote, or why there are none. */
export interface ColumnarFiles {
  readonly missing: string | false;
  /** Paths. Beside each is one with `.ndjson` behind it, of the rows that the program reads. */
  readonly paths: readonly string[];
}

/** Writes files of each format with all types that it has. */
export async function writeColumnarFiles(folder: string, rows: number): Promise<ColumnarFiles> {
  const python = await pythonWith(...packages);
  if ('missing' in python) return { missing: python.missing, paths: [] };
  await run(python.command, [script, folder, String(rows)]);
  const names = (await readdir(folder)).filter((name) => !name.endsWith('.ndjson'));
  return { missing: false, paths: names.map((name) => join(folder, name)) };
}

/** The ORC files that the tests of pyarrow read, and their rows as lines of JSON in a folder. */
export async function readOrcFiles(folder: string): Promise<ColumnarFiles> {
  const python = await pythonWith(...packages);
  if ('missing' in python) return { missing: python.missing, paths: [] };
  const tests = await Array.fromAsync(
    glob('lib/python*/site-packages/pyarrow/tests/data/orc/*.orc', { cwd: python.folder }),
  );
  const paths = tests.map((path) => join(python.folder, path));
  await run(python.command, [script, folder, 'read', ...paths]);
  return { missing: false, paths };
}

/** The number of rows of a Parquet file and the sums of its columns of numbers, as pyarrow computes them. */
export async function sumParquet(
  folder: string,
  path: string,
): Promise<{ rows: number; sums: Readonly<Record<string, number>> }> {
  const python = await pythonWith(...packages);
  if ('missing' in python) throw new Error(python.missing);
  const { stdout } = await run(python.command, [script, folder, 'sum', path]);
  return JSON.parse(stdout) as { rows: number; sums: Record<string, number> };
}
