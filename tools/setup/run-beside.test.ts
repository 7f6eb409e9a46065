import { equal } from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

interface RunBeside {
  runBeside(
    command: string,
    options: readonly string[],
    runs: readonly (readonly string[])[],
    env: Record<string, string>,
  ): () => Promise<unknown>;
}

const { runBeside } = (await import(new URL('run-beside.mjs', import.meta.url).href)) as RunBeside;

const folder = mkdtempSync(join(tmpdir(), 'redoubt-beside-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const noteOf = (name: string): string => join(folder, name);
const read = (name: string): string => (existsSync(noteOf(name)) ? readFileSync(noteOf(name), 'utf8') : '');
const written = async (name: string): Promise<string> => {
  while (read(name) === '') await setTimeout(20);
  return read(name);
};

/** A program that writes its priority, and goes on until it is stopped. */
const program = (name: string): readonly string[] => {
  const note = JSON.stringify(noteOf(name));
  return [
    `
    const { writeFileSync } = require('node:fs');
    process.on('SIGTERM', () => { writeFileSync(${note}, 'ended'); process.exit(0); });
    writeFileSync(${note}, String(require('node:os').getPriority()));
    setInterval(() => {}, 1000);`,
  ];
};

test('a background program has low priority, and ends on request', async () => {
  const end = runBeside(process.execPath, ['-e'], [program('one')], {});
  equal(Number(await written('one')) >= 10, true);
  await end();
  equal(read('one'), 'ended');
});

test('background programs run one after another, and none starts after the end', async () => {
  const note = JSON.stringify(noteOf('first'));
  const first = [`require('node:fs').writeFileSync(${note}, 'done')`];
  const end = runBeside(process.execPath, ['-e'], [first, program('second'), program('third')], {});
  await written('second');
  equal(read('first'), 'done');
  await end();
  equal(read('second'), 'ended');
  equal(read('third'), '');
});
