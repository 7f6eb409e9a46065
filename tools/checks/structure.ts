import { globSync } from 'node:fs';
import { join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';

/** What a look at the imports of a tree has shown. */
export interface Structure {
  /** Source files that were looked at. */
  readonly modules: number;
  /** One line for each broken rule, and for each source file that was not looked at. */
  readonly faults: readonly string[];
}

const rooms = ['apps', 'packages', 'testing', 'bench', 'tools'];
const notSources = ['**/node_modules/**', 'apps/docs/build/**', '**/.docusaurus*/**'];
const sources = `{${rooms.join(',')}}/**/*.{ts,tsx,mjs}`;

/** Holds the imports of a tree (this house, or one like it in a test) against the rules of the house. */
export async function checkStructure(folder: string, rules: string): Promise<Structure> {
  const files = globSync(sources, { cwd: folder, exclude: notSources });
  const present = rooms.filter((room) => files.some((file) => file.startsWith(`${room}/`)));
  const options = await extractOptions(rules);
  const { output } = await cruise(present, { ...options, baseDir: folder });
  const { modules, summary } = output as ICruiseResult;

  const seen = new Set(modules.map(({ source }) => source));
  const unseen = files.filter((file) => !seen.has(file));
  return {
    modules: files.length - unseen.length,
    faults: [
      ...summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`),
      ...unseen.map((file) => `not looked at: ${join(folder, file)}`),
    ],
  };
}
