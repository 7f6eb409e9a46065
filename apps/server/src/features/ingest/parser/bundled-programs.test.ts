/* Shows: L21 */
import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { buildPrograms } from '../../../../building/build.ts';
import {
  bundleList,
  bundleOf,
  bundles,
  rootFolder,
  type BundleList,
} from '../../../platform/bundles/bundled-programs.ts';
import { findConfinement } from './confinement.ts';
import { startConfinedProcess } from './confined-process.ts';

const program = join(import.meta.dirname, 'parser-worker.ts');
const ingest = join(import.meta.dirname, '..');
const { signal } = new AbortController();
/** How a feature names a program that it starts. */
const startedProgram = /^const program = fileURLToPath\(new URL\('\.\/([^']+)'/gm;

describe('programs that read what others send are bundled', () => {
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'redoubt-bundles-'));
    await buildPrograms();
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  test('each of them starts from its bundle', () => {
    const paths = globSync('**/*.ts', { cwd: ingest })
      .flatMap((file) => [...readFileSync(join(ingest, file), 'utf8').matchAll(startedProgram)])
      .map(([, name = '']) => globSync(`**/${name}`, { cwd: ingest })[0] ?? name);
    assert.ok(paths.length >= 6, paths.join(', '));
    for (const path of paths) {
      const bundle = bundleOf(join(ingest, path));
      assert.equal(bundle.startsWith(`${bundles}/`), true, bundle);
      assert.match(readFileSync(bundle, 'utf8'), /import/);
    }
  });

  test('a program whose sources have changed, or that is not bundled, starts from its sources', () => {
    const list = JSON.parse(readFileSync(bundleList, 'utf8')) as BundleList;
    assert.ok(list.sources.some(({ path }) => path === relative(rootFolder, program)));
    const [first, ...others] = list.sources;
    const changes: Record<string, string> = {
      modified: JSON.stringify({ ...list, sources: [{ ...first, modified: 1 }, ...others] }),
      gone: JSON.stringify({ ...list, sources: [{ ...first, path: 'no-such-file.ts' }, ...others] }),
      broken: '{"folder":',
    };
    for (const [name, content] of Object.entries(changes)) {
      writeFileSync(join(folder, name), content);
      assert.equal(bundleOf(program, join(folder, name)), program, name);
    }
    assert.equal(bundleOf(program, join(folder, 'absent')), program);
    writeFileSync(join(folder, 'same'), JSON.stringify(list));
    assert.equal(bundleOf(program, join(folder, 'same')), bundleOf(program));
  });

  test('a confined process can change neither the bundles nor their list', async () => {
    const hostile = join(folder, 'hostile.mjs');
    const targets = [bundleOf(program), bundleList, join(bundles, 'new.mjs')];
    writeFileSync(
      hostile,
      `import { writeFileSync } from 'node:fs';
      for (const file of ${JSON.stringify(targets)}) {
        try { writeFileSync(file, ''); console.log('written'); } catch (error) { console.log(error.code); }
      }`,
    );
    const { prefix } = await findConfinement();
    const child = startConfinedProcess({
      prefix,
      program: hostile,
      readable: [relative(rootFolder, hostile)],
      heapMegabytes: 100,
      task: {},
      signal,
    });
    assert.equal(await text(child.output), 'ERR_ACCESS_DENIED\n'.repeat(3));
  });
});
