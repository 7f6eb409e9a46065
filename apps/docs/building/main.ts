import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BuildError, buildSite, isCurrent } from './build-site.ts';

/** Builds the documentation site: into the folder that the server serves, or into another for any host. */

const served = join(import.meta.dirname, '../build');
const usage = `Usage: npm run docs:build -- [--out-dir <folder>] [--if-stale]
  --out-dir   where the site comes to stand; apps/docs/build, which the server serves, unless it is named
  --if-stale  builds nothing where the site of the present sources stands there already
Settings of the site (DOCS_URL, DOCS_BASE_URL and others) come from the environment.`;

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopped.abort());

const say = (line: string): void => void process.stderr.write(`${line}\n`);

const readArguments = (): { folder: string; ifStale: boolean } => {
  const { values } = parseArgs({
    options: { 'out-dir': { type: 'string' }, 'if-stale': { type: 'boolean' } },
  });
  return { folder: resolve(values['out-dir'] ?? served), ifStale: values['if-stale'] === true };
};

const run = async (): Promise<void> => {
  const { folder, ifStale } = readArguments();
  const build = { folder, environment: process.env, signal: stopped.signal };
  if (ifStale && isCurrent(build)) return;
  say(
    ifStale
      ? 'Building the documentation site beside the server, since its sources have changed; it takes a minute or two.'
      : 'Building the documentation site; it takes a minute or two.',
  );
  const start = performance.now();
  await buildSite(build);
  say(`The documentation site is built (${Math.round((performance.now() - start) / 1000)} s): ${folder}`);
};

/** In the background of a server one line has to do. */
const explain = (error: unknown): string => {
  if (error instanceof BuildError && process.argv.includes('--if-stale'))
    return `${error.message} The server runs without it, or with the one of before; npm run docs:build shows why.`;
  if (error instanceof BuildError) return `${error.output}\n${error.message}`;
  if (error instanceof TypeError && 'code' in error) return `${error.message}\n${usage}`;
  return error instanceof Error ? error.message : String(error);
};

run().catch((error: unknown) => {
  if (!stopped.signal.aborted) say(explain(error));
  process.exitCode = 1;
});
