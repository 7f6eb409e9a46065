import { equal } from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

interface RunBeside {
  runBeside(command: string, args: readonly string[], env: Record<string, string>): () => Promise<unknown>;
}

const { runBeside } = (await import(new URL('run-beside.mjs', import.meta.url).href)) as RunBeside;

test('a background program has low priority, and ends on request', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'redoubt-beside-'));
  const note = join(folder, 'note');
  const script = `
    const { writeFileSync } = require('node:fs');
    process.on('SIGTERM', () => { writeFileSync(${JSON.stringify(note)}, 'ended'); process.exit(0); });
    writeFileSync(${JSON.stringify(note)}, String(require('node:os').getPriority()));
    setInterval(() => {}, 1000);`;
  try {
    const end = runBeside(process.execPath, ['-e', script], {});
    while (!existsSync(note) || readFileSync(note, 'utf8') === '') await setTimeout(20);
    equal(Number(readFileSync(note, 'utf8')) >= 10, true);
    await end();
    equal(readFileSync(note, 'utf8'), 'ended');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
