import { globSync } from 'node:fs';
import { join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';

/** The result of checking the imports of a tree. */
export interface Structure {
  /** Number of source files that were checked. */
  readonly modules: number;
  /** One line for each violation of a rule, and for each source file that was not checked. */
  readonly problems: readonly string[];
}

const folders = ['apps', 'packages', 'testing', 'bench', 'tools'];
const notSources = ['**/node_modules/**', 'apps/{docs,web}/build/**', '**/.docusaurus*/**'];
const sources = `{${folders.join(',')}}/**/*.{ts,tsx,mjs}`;

/** Checks the imports of a tree (this repository, or one made by a test) against the rules of dependency-cruiser. */
export async function checkStructure(folder: string, rules: string): Promise<Structure> {
  const files = globSync(sources, { cwd: folder, exclude: notSources });
  const present = folders.filter((folderName) => files.some((file) => file.startsWith(`${folderName}/`)));
  const options = await extractOptions(rules);
  const { output } = await cruise(present, { ...options, baseDir: folder });
  const { modules, summary } = output as ICruiseResult;

  const checked = new Set(modules.map(({ source }) => source));
  const unchecked = files.filter((file) => !checked.has(file));
  return {
    modules: files.length - unchecked.length,
    problems: [
      ...summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`),
      ...unchecked.map((file) => `not checked: ${join(folder, file)}`),
    ],
  };
}
