import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict';
import { lstatSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

interface LockEntry {
  readonly version?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

type Lock = Readonly<Record<string, LockEntry>>;
type Part = 'docs' | 'server' | 'tests';

interface Installation {
  parts: Readonly<Record<Part, { megabytes: number }>>;
  announce(part: Part, present: number): string;
  containing(part: Part): Part[];
  installArguments(part: Part, lock: Lock, installed: Lock): string[] | undefined;
  packagesOf(part: Part, lock: Lock): ReadonlySet<string>;
}

const root = join(import.meta.dirname, '../..');
const { announce, containing, installArguments, packagesOf, parts } = (await import(
  new URL('installation.mjs', import.meta.url).href
)) as Installation;

const entry = (more: LockEntry = {}): LockEntry => ({ version: '1.0.0', integrity: 'sha512-a', ...more });

/** The server needs `engine`, which brings a `parser` of its own; the site needs `site`, the tests `bench`. */
const lock: Lock = {
  'apps/server': { dependencies: { engine: '1', '@redoubt/labels': '1' }, devDependencies: { bench: '1' } },
  'apps/web': {},
  'apps/docs': { dependencies: { site: '1', parser: '1' } },
  'packages/labels': { dependencies: { cache: '1' } },
  'node_modules/@redoubt/labels': { link: true, resolved: 'packages/labels' },
  'node_modules/engine': entry({ dependencies: { parser: '2', native: '1' } }),
  'node_modules/engine/node_modules/parser': entry({ version: '2.0.0' }),
  'node_modules/parser': entry(),
  'node_modules/native': entry({ optional: true }),
  'node_modules/cache': entry(),
  'node_modules/site': entry(),
  'node_modules/bench': entry({ dev: true }),
};
const server = ['engine', 'engine/node_modules/parser', 'native', 'cache'];
const only = (names: readonly string[]): Lock =>
  Object.fromEntries(names.map((name) => [`node_modules/${name}`, lock[`node_modules/${name}`] ?? {}]));

const namesOf = (part: Part): string[] =>
  [...packagesOf(part, lock)]
    .filter((path) => path.startsWith('node_modules/'))
    .map((path) => path.slice(13));

test('a part has the packages of its workspaces, and those that they need in turn', () => {
  deepEqual(namesOf('server').toSorted(), server.toSorted());
  deepEqual(namesOf('docs').toSorted(), [...server, 'site', 'parser'].toSorted());
  deepEqual(namesOf('tests').toSorted(), [...server, 'site', 'parser', 'bench'].toSorted());
  deepEqual(containing('docs'), ['docs', 'tests']);
});

test('a server is installed without the packages of the tests, and without those of the site', () => {
  const args = installArguments('server', lock, {})?.join(' ') ?? '';
  match(args, /--omit=dev --workspace apps\/server --workspace apps\/web$/);
  match(
    installArguments('docs', lock, only(server))?.join(' ') ?? '',
    /--omit=dev .*--workspace apps\/docs$/,
  );
});

test('the tests are added to what a server has', () => {
  const args = installArguments('tests', lock, only(server))?.join(' ') ?? '';
  match(args, /--include=dev/);
  doesNotMatch(args, /--omit=dev|--workspace/);
});

test('packages that are all there are not installed again', () => {
  const all = [...server, 'site', 'parser', 'bench'];
  equal(installArguments('server', lock, only(server)), undefined);
  for (const part of ['server', 'docs', 'tests'] as const)
    equal(installArguments(part, lock, only(all)), undefined, part);
  const withoutNative = all.filter((name) => name !== 'native');
  equal(installArguments('server', lock, only(withoutNative)), undefined, 'optional packages may be missing');
});

test('a changed package is installed without removing the packages of the tests', () => {
  const installed = {
    ...only([...server, 'site', 'parser', 'bench']),
    'node_modules/cache': entry({ version: '0.9.0' }),
  };
  const args = installArguments('server', lock, installed)?.join(' ') ?? '';
  match(args, /--include=dev/);
  doesNotMatch(args, /--omit=dev/);
});

test('what is going to be installed is announced with the missing megabytes', () => {
  match(
    announce('server', 0),
    /^Installing the packages of the server and the console, once: about \d+ MB, of which the record engine is 570 MB\.$/,
  );
  match(announce('docs', parts.server.megabytes), /documentation site, once: about 151 MB\.$/);
  match(announce('tests', 5000), /^Installing the packages of the tests, once\.$/);
});

const realLock = (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Lock })
  .packages;

test('a start builds with what it installs, and installs nothing that only tests need', () => {
  const up = packagesOf('docs', realLock);
  for (const name of ['vite', 'rolldown', '@docusaurus/core', 'chdb', 'react'])
    ok(up.has(`node_modules/${name}`), name);
  for (const path of up) ok(realLock[path]?.dev !== true, path);
  for (const name of [
    'vega-datasets',
    '@duckdb/node-api',
    '@redocly/openapi-core',
    'oxlint',
    'playwright-core',
    'knip',
    'textlint',
  ])
    equal(realLock[`node_modules/${name}`]?.dev, true, name);
});

test('packages that Redoubt never runs are replaced by an empty one', () => {
  for (const name of [
    'pdfjs-dist',
    'tesseract.js',
    '@azure/identity',
    '@azure/keyvault-keys',
    'webpack-dev-server',
  ])
    equal(realLock[`node_modules/${name}`]?.version, '0.0.2', name);
});

const isMeasured = process.platform === 'linux' && process.arch === 'x64';

test(
  'the announced sizes are those of the packages',
  { skip: !isMeasured && 'measured on Linux x64' },
  () => {
    for (const part of ['server', 'docs', 'tests'] as const) {
      let bytes = 0;
      for (const path of packagesOf(part, realLock)) {
        if (!path.includes('node_modules/')) continue;
        const cwd = join(root, path);
        for (const file of globSync('**/*', { cwd, exclude: ['node_modules/**'] })) {
          const status = lstatSync(join(cwd, file));
          if (status.isFile()) bytes += status.size;
        }
      }
      const megabytes = bytes / 1e6;
      ok(
        Math.abs(megabytes - parts[part].megabytes) < 10,
        `${part}: announced ${parts[part].megabytes} MB, got ${megabytes.toFixed()} MB`,
      );
    }
  },
);
