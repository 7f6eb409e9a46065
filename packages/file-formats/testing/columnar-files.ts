import { pythonWith } from '@redoubt/testkit';
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const packages = ['pyarrow==26.0.1', 'fastavro==1.13.1', 'cramjam==2.14.0', 'backports.zstd==1.8.0'];

/** Files of the columnar formats as other programs write them, or why there are none. */
export interface ColumnarFiles {
  readonly missing: string | false;
  /** Paths. Beside each is one with `.ndjson` behind it, of the rows that the program reads. */
  readonly paths: readonly string[];
  /** The folder of the Python packages. */
  readonly packages: string;
}

/** Writes files of each format with all types that it has. */
export async function writeColumnarFiles(folder: string, rows: number): Promise<ColumnarFiles> {
  const python = await pythonWith(...packages);
  if ('missing' in python) return { missing: python.missing, paths: [], packages: '' };
  const script = join(import.meta.dirname, 'write_columnar.py');
  await promisify(execFile)(python.command, [script, folder, String(rows)]);
  const names = (await readdir(folder)).filter((name) => !name.endsWith('.ndjson'));
  return { missing: false, paths: names.map((name) => join(folder, name)), packages: python.folder };
}
