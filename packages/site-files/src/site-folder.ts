import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listFile } from './finish-site.ts';

export interface SiteInputs {
  /** The folder that the patterns are relative to. */
  readonly folder: string;
  /** Globs of the files that a site is built from. Tests and installed packages are left out. */
  readonly sources: readonly string[];
  /** Settings of the build, by name. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Returns 32 hexadecimal digits that change whenever a source or a setting of the site changes. */
export const hashInputs = ({ folder, sources, settings = {} }: SiteInputs): string => {
  const hash = createHash('sha256');
  const exclude = ['**/node_modules/**', '**/*.test.{ts,tsx}'];
  for (const file of globSync(sources, { cwd: folder, exclude }).toSorted()) {
    if (statSync(join(folder, file)).isFile())
      hash.update(`${file}\n`).update(readFileSync(join(folder, file)));
  }
  for (const [name, value] of Object.entries(settings)) hash.update(`${name}=${value}\n`);
  return hash.digest('hex').slice(0, 32);
};

/**
 * Whether a folder contains a finished site that was built from these inputs.
 * @param inputs the result of `hashInputs`
 */
export const isBuiltFrom = (folder: string, inputs: string): boolean => {
  try {
    const list = JSON.parse(readFileSync(join(folder, listFile), 'utf8')) as { inputs?: unknown };
    return list.inputs === inputs;
  } catch {
    return false;
  }
};

/**
 * Replaces a folder by a new one with two renames, so that a server which reads files meanwhile hardly
 * ever misses one.
 */
export const replaceFolder = (made: string, folder: string): void => {
  const old = `${made}-old`;
  if (existsSync(folder)) renameSync(folder, old);
  renameSync(made, folder);
  rmSync(old, { recursive: true, force: true });
};
