/* Shows: A-import-rules */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { checkStructure } from './structure.ts';

const rules = join(import.meta.dirname, '../../.dependency-cruiser.cjs');
const packages = ['errors', 'contract', 'labels', 'query', 'records', 'api-client'];
/** The folders of the packages in the repository, by the names of the packages. */
const folders: Record<string, string> = {
  ...Object.fromEntries(packages.map((name) => [name, `packages/${name}`])),
  server: 'apps/server',
  testkit: 'testing/kit',
  'two-worlds': 'testing/two-worlds',
};
const engines = ['kysely', 'pg', '@electric-sql/pglite', 'chdb', '@clickhouse/client'];

function manifest(name: string, exports: Record<string, string>): string {
  return JSON.stringify({ name, type: 'module', exports });
}

/**
 * Creates a repository with every package and engine, and with these files and their imports.
 * @returns its violations
 */
async function violationsIn(imports: Record<string, readonly string[]>): Promise<readonly string[]> {
  const repository = mkdtempSync(join(tmpdir(), 'redoubt-structure-'));
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(repository, file)), { recursive: true });
    writeFileSync(join(repository, file), text);
  };
  const module = (file: string, imported: readonly string[]): void =>
    write(
      file,
      imported.map((name, at) => `import * as x${at} from '${name}';\n`).join('') + 'export const y = 1;',
    );
  try {
    write(
      'tsconfig.json',
      '{ "compilerOptions": { "module": "nodenext", "allowImportingTsExtensions": true } }',
    );
    write('package.json', '{ "type": "module", "workspaces": ["apps/*", "packages/*", "testing/*"] }');
    mkdirSync(join(repository, 'node_modules/@redoubt'), { recursive: true });
    for (const [name, folder] of Object.entries(folders)) {
      const exports = { '.': './src/index.ts', './testing': './testing/index.ts' };
      write(`${folder}/package.json`, manifest(`@redoubt/${name}`, exports));
      module(`${folder}/src/${name === 'server' ? 'main' : 'index'}.ts`, ['node:util']);
      module(`${folder}/testing/index.ts`, ['node:util']);
      symlinkSync(join(repository, folder), join(repository, 'node_modules/@redoubt', name));
    }
    for (const name of engines) {
      write(`node_modules/${name}/package.json`, manifest(name, { '.': './index.js' }));
      write(`node_modules/${name}/index.js`, 'export const engine = 1;');
    }
    for (const [file, imported] of Object.entries(imports)) module(file, imported);
    const { problems } = await checkStructure(repository, rules);
    return problems.map((problem) => problem.slice(0, problem.indexOf(' -> '))).toSorted();
  } finally {
    rmSync(repository, { recursive: true, force: true });
  }
}

const features = 'apps/server/src/features';

test('a repository that follows the import rules has no problems', async () => {
  const problems = await violationsIn({
    'packages/contract/src/index.ts': ['@redoubt/errors'],
    'packages/records/src/index.ts': ['@redoubt/query', 'chdb', '@clickhouse/client'],
    'packages/labels/src/a.test.ts': ['./index.ts', '@redoubt/testkit'],
    'packages/records/testing/index.ts': ['../src/index.ts', '@redoubt/testkit'],
    'apps/server/src/main.ts': ['./deps.ts'],
    'apps/server/testing/index.ts': ['../src/deps.ts', '@redoubt/records/testing', 'pg'],
    [`${features}/a/a.test.ts`]: ['@redoubt/server/testing', '@redoubt/testkit'],
    'testing/kit/src/index.ts': ['@redoubt/contract', 'pg'],
    'testing/two-worlds/src/index.ts': ['@redoubt/server/testing', '@redoubt/records', '@redoubt/testkit'],
    'apps/server/src/platform/db/database.ts': ['kysely', 'pg', '@electric-sql/pglite'],
    [`${features}/a/index.ts`]: ['./a.routes.ts', '../b/index.ts'],
    [`${features}/a/a.routes.ts`]: ['./a.service.ts'],
    [`${features}/a/a.service.ts`]: ['./a.repository.ts'],
    [`${features}/a/a.repository.ts`]: ['kysely', '../../platform/db/database.ts'],
    [`${features}/b/index.ts`]: ['node:util'],
    'apps/server/src/deps.ts': [`./features/a/index.ts`],
    'tools/a.ts': ['@redoubt/contract'],
    'bench/src/main.ts': ['@redoubt/server/testing', '@redoubt/testkit', 'pg'],
    'apps/docs/plugins/api/index.ts': ['@redoubt/contract', '@theme/Layout'],
    'apps/docs/src/pages/a.ts': ['@docusaurus/Link'],
    'apps/docs/examples/a.test.ts': ['@redoubt/testkit', '@redoubt/server/testing'],
  });
  assert.deepEqual(problems, []);
});

/** The violated rule, the file that violates it, and the files with their imports. */
const violations: [rule: string, file: string, imports: Record<string, string[]>][] = [
  [
    'errors-imports-only-what-is-below-it',
    'packages/errors/src/index.ts',
    { 'packages/errors/src/index.ts': ['@redoubt/labels'] },
  ],
  [
    'records-imports-only-what-is-below-it',
    'packages/records/src/index.ts',
    { 'packages/records/src/index.ts': ['@redoubt/server/testing'] },
  ],
  [
    'api-client-imports-only-what-is-below-it',
    'packages/api-client/src/index.ts',
    { 'packages/api-client/src/index.ts': ['@redoubt/labels'] },
  ],
  [
    'the-site-knows-the-contract-and-nothing-of-the-server',
    'apps/docs/plugins/api/index.ts',
    { 'apps/docs/plugins/api/index.ts': ['@redoubt/server/testing'] },
  ],
  [
    'no-relative-import-of-another-room',
    'packages/labels/src/index.ts',
    { 'packages/labels/src/index.ts': ['../../errors/src/index.ts'] },
  ],
  [
    'no-unresolvable-import',
    'packages/labels/src/index.ts',
    {
      'packages/labels/src/index.ts': ['@redoubt/errors/src/deep.ts'],
      'packages/errors/src/index.ts': ['./deep.ts'],
      'packages/errors/src/deep.ts': [],
    },
  ],
  [
    'no-cycle',
    'packages/labels/src/a.ts',
    { 'packages/labels/src/index.ts': ['./a.ts'], 'packages/labels/src/a.ts': ['node:util', './index.ts'] },
  ],
  ['no-orphan', 'packages/labels/src/a.ts', { 'packages/labels/src/a.ts': [] }],
  [
    'nobody-imports-a-test',
    'packages/labels/src/index.ts',
    { 'packages/labels/src/index.ts': ['./a.test.ts'], 'packages/labels/src/a.test.ts': ['node:test'] },
  ],
  [
    'only-tests-import-testing',
    'apps/server/src/main.ts',
    { 'apps/server/src/main.ts': ['@redoubt/testkit'] },
  ],
  [
    'only-tests-import-testing',
    'packages/records/src/index.ts',
    { 'packages/records/src/index.ts': ['../testing/index.ts'] },
  ],
  [
    'only-tests-import-testing',
    'apps/server/src/main.ts',
    { 'apps/server/src/main.ts': ['@redoubt/records/testing'] },
  ],
  [
    'src-is-the-product',
    'packages/labels/src/a.ts',
    { 'packages/labels/src/a.test.ts': ['./a.ts'], 'packages/labels/src/a.ts': ['node:util'] },
  ],
  [
    'only-rigs-import-rigs',
    'apps/server/src/a.test.ts',
    { 'apps/server/src/a.test.ts': ['@redoubt/two-worlds'] },
  ],
  [
    'kit-imports-only-what-is-below-it',
    'testing/kit/src/index.ts',
    { 'testing/kit/src/index.ts': ['@redoubt/records'] },
  ],
  [
    'records-imports-only-what-is-below-it',
    'packages/records/testing/index.ts',
    { 'packages/records/testing/index.ts': ['@redoubt/server/testing'] },
  ],
  [
    'platform-knows-no-feature',
    'apps/server/src/platform/a.ts',
    {
      'apps/server/src/platform/a.ts': ['../features/a/index.ts'],
      [`${features}/a/index.ts`]: ['node:util'],
    },
  ],
  [
    'features-do-not-import-the-composition',
    `${features}/a/index.ts`,
    { [`${features}/a/index.ts`]: ['../../deps.ts'], 'apps/server/src/deps.ts': [] },
  ],
  [
    'a-feature-is-imported-through-its-index-by-features',
    `${features}/a/index.ts`,
    { [`${features}/a/index.ts`]: ['../b/b.service.ts'], [`${features}/b/b.service.ts`]: [] },
  ],
  [
    'a-feature-is-imported-through-its-index',
    'apps/server/src/deps.ts',
    { 'apps/server/src/deps.ts': ['./features/b/b.service.ts'], [`${features}/b/b.service.ts`]: [] },
  ],
  [
    'routes-do-not-import-repositories',
    `${features}/a/a.routes.ts`,
    { [`${features}/a/a.routes.ts`]: ['./a.repository.ts'], [`${features}/a/a.repository.ts`]: [] },
  ],
  [
    'services-do-not-import-routes',
    `${features}/a/a.service.ts`,
    { [`${features}/a/a.service.ts`]: ['./a.routes.ts'], [`${features}/a/a.routes.ts`]: [] },
  ],
  [
    'repositories-import-neither-services-nor-routes',
    `${features}/a/a.repository.ts`,
    { [`${features}/a/a.repository.ts`]: ['./a.service.ts'], [`${features}/a/a.service.ts`]: [] },
  ],
  [
    'only-repositories-import-kysely',
    `${features}/a/a.service.ts`,
    { [`${features}/a/a.service.ts`]: ['kysely'] },
  ],
  [
    'only-platform-db-imports-the-metadata-engines',
    `${features}/a/a.repository.ts`,
    { [`${features}/a/a.repository.ts`]: ['pg'] },
  ],
  [
    'only-platform-db-imports-the-metadata-engines',
    'apps/server/src/platform/config/a.ts',
    { 'apps/server/src/platform/config/a.ts': ['@electric-sql/pglite'] },
  ],
  [
    'only-records-imports-the-record-engines',
    'apps/server/src/platform/db/a.ts',
    { 'apps/server/src/platform/db/a.ts': ['chdb'] },
  ],
  [
    'only-records-imports-the-record-engines',
    'bench/src/main.ts',
    { 'bench/src/main.ts': ['@clickhouse/client'] },
  ],
];

for (const [rule, file, imports] of violations) {
  test(`the import rule ${rule} rejects ${file}, which imports ${imports[file]?.join(', ') || 'nothing'}`, async () => {
    const problems = await violationsIn(imports);
    assert.ok(problems.includes(`${rule}: ${file}`), `problems found: ${problems.join('; ') || 'none'}`);
  });
}

test('an import past the index of a package is found even if it uses a path', async () => {
  const problems = await violationsIn({
    'tools/a.ts': ['../packages/errors/src/deep.ts'],
    'packages/errors/src/index.ts': ['./deep.ts'],
    'packages/errors/src/deep.ts': [],
  });
  assert.deepEqual(problems, [
    'no-import-past-the-index-of-a-room: tools/a.ts',
    'no-relative-import-of-another-room: tools/a.ts',
  ]);
});
