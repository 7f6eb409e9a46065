import { createHash } from 'node:crypto';
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runDocusaurus } from '../building/run-docusaurus.ts';

/** The sources of a build. Default: the Redoubt site with default settings. */
export interface BuildOptions {
  /** Settings by environment variable, such as `DOCS_CHAT_KEY`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The folder with `docusaurus.config.ts`: of the Redoubt site or of a fixture. */
  readonly siteFolder?: string;
}

/** The output and the result of a build. */
export interface Build {
  readonly ok: boolean;
  /** The folder of the built site. It is incomplete if the build failed. */
  readonly folder: string;
  readonly output: string;
}

const docs = join(import.meta.dirname, '..');
const fixtures = join(import.meta.dirname, 'fixtures');
const cache = join(docs, '../../node_modules/.cache/redoubt/docs');

/** The source files of the Redoubt site. The page of the API comes from `contract`. */
const sources = [
  '*.{ts,json}',
  '{docs,src,plugins,static,examples,i18n}/**/*.*',
  '../../packages/{contract,errors}/src/**/*.ts',
];
/** The source files of a fixture: its own, and those it shares with the Redoubt site. */
const fixtureSources = (name: string): string[] => [
  'package.json',
  `{src,plugins,test/fixtures/${name}}/**/*.*`,
];
const hour = 3_600_000;
const notSources = ['**/node_modules/**', '**/.docusaurus*/**', '**/*.test.ts'];

/**
 * Returns the folder of the Redoubt site with default settings. Builds it if there is no build of the current sources;
 * processes that need it at the same time share one build. The environment variable `DOCS_BUILD` names a folder to use
 * instead.
 */
export async function builtSite(): Promise<string> {
  return process.env['DOCS_BUILD'] ?? (await built('site', {}));
}

/**
 * The folder of a fixture site, for features that the Redoubt site does not use: `test/fixtures/<name>/`, with a
 * `docusaurus.config.ts` of its own and optionally `settings.json` with environment variables of the build. Tests that
 * ask for the same name share one build, as with `builtSite`.
 */
export async function fixtureSite(name: string): Promise<string> {
  const siteFolder = join(fixtures, name);
  const [file] = globSync(join(siteFolder, 'settings.json'));
  const settings =
    file === undefined ? {} : (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>);
  return built(name, { siteFolder, settings });
}

/** Builds a site into a folder of its own, which stays until `rmSync`. It takes ten seconds and more. */
export async function buildSite(options: BuildOptions = {}): Promise<Build> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'once-'));
  return { ...(await build(folder, options)), folder };
}

async function built(name: string, options: BuildOptions): Promise<string> {
  const folder = join(
    cache,
    `${name}-${fingerprint(options.siteFolder === undefined ? sources : fixtureSources(name))}`,
  );
  const done = join(folder, 'index.html');
  if (exists(done)) return folder;
  mkdirSync(cache, { recursive: true });
  const release = await lock(join(cache, `${name}.lock`));
  try {
    if (exists(done)) return folder;
    for (const old of globSync(join(cache, `${name}-*`))) {
      // Tests that began before the sources changed may still be reading it.
      if (statSync(old).mtimeMs < Date.now() - hour) rmSync(old, { recursive: true, force: true });
    }
    const unfinished = mkdtempSync(join(cache, 'once-'));
    const { ok, output } = await build(unfinished, options);
    if (!ok) {
      rmSync(unfinished, { recursive: true, force: true });
      throw new Error(`The site "${name}" could not be built:\n${output}`);
    }
    renameSync(unfinished, folder);
    return folder;
  } finally {
    release();
  }
}

/** Generated files and caches are separate for each build, since builds may run in parallel. */
async function build(folder: string, options: BuildOptions): Promise<Pick<Build, 'ok' | 'output'>> {
  const { siteFolder = docs, settings = {} } = options;
  const generated = `.docusaurus-${basename(folder)}`;
  const { DOCS_BUILD: _, NODE_TEST_CONTEXT: __, NODE_OPTIONS: ___, ...environment } = process.env;
  const unset = Object.fromEntries(
    Object.keys(environment)
      .filter((name) => name.startsWith('DOCS_'))
      .map((name) => [name, undefined]),
  );
  const { code, output } = await runDocusaurus({
    site: siteFolder,
    out: folder,
    generated,
    environment: { ...environment, ...unset, ...settings },
    // The Redoubt site needs minified scripts, since a test checks their size.
    minify: siteFolder === docs,
  });
  return { ok: code === 0, output };
}

function fingerprint(patterns: string[]): string {
  const files = globSync(patterns, { cwd: docs, exclude: notSources }).toSorted();
  const hash = createHash('sha256');
  for (const file of files) {
    const { mtimeMs, size, isFile } = stat(file);
    if (isFile) hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

function stat(file: string): { mtimeMs: number; size: number; isFile: boolean } {
  const found = statSync(join(docs, file), { throwIfNoEntry: false });
  return { mtimeMs: found?.mtimeMs ?? 0, size: found?.size ?? 0, isFile: found?.isFile() ?? false };
}

function exists(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}

/** Waits for the lock file, and returns a function that releases it. */
async function lock(file: string): Promise<() => void> {
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      if (!heldByTheLiving(file)) rmSync(file, { force: true });
      await sleep(200);
    }
  }
}

function heldByTheLiving(file: string): boolean {
  try {
    const holder = Number(readFileSync(file, 'utf8'));
    // Between its creation and the writing of the process id, the file is empty.
    return holder === 0 || process.kill(holder, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
