import { hashInputs } from '@redoubt/site-files';
import { join } from 'node:path';
import { siteSettings } from '../site-settings.ts';

const docs = join(import.meta.dirname, '..');

/** All that a built site comes from. The contract and its errors give the pages of the API. */
const sources = [
  '*.{ts,json}',
  '{building,docs,examples,plugins,src,static}/**/*',
  '../../packages/{contract,errors,site-files}/src/**/*.ts',
  '../../package-lock.json',
];

/** Names what a site would be built from now: the content of its sources, and the settings of the build. */
export const inputsOf = (environment: Readonly<Record<string, string | undefined>>): string =>
  hashInputs({
    folder: docs,
    sources,
    settings: Object.fromEntries(Object.keys(siteSettings).map((name) => [name, environment[name] ?? ''])),
  });
