import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { siteSettings } from '../site-settings.ts';

const docs = join(import.meta.dirname, '..');

/** All that a built site comes from. The contract and its errors give the pages of the API. */
const sources = [
  '*.{ts,json}',
  '{building,docs,examples,plugins,src,static}/**/*',
  '../../packages/{contract,errors}/src/**/*.ts',
  '../../package-lock.json',
];
const notSources = ['**/node_modules/**', '**/*.test.{ts,tsx}'];

/** Names what a site would be built from now: the content of its sources, and the settings of the build. */
export const inputsOf = (environment: Readonly<Record<string, string | undefined>>): string => {
  const hash = createHash('sha256');
  for (const file of globSync(sources, { cwd: docs, exclude: notSources }).toSorted()) {
    if (statSync(join(docs, file)).isFile()) hash.update(`${file}\n`).update(readFileSync(join(docs, file)));
  }
  for (const name of Object.keys(siteSettings)) hash.update(`${name}=${environment[name] ?? ''}\n`);
  return hash.digest('hex').slice(0, 32);
};
