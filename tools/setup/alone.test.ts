import { deepEqual, equal } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

interface Alone {
  alone<T>(folder: string, work: () => Promise<T>): Promise<T>;
}

const { alone } = (await import(new URL('alone.mjs', import.meta.url).href)) as Alone;

const folder = mkdtempSync(join(tmpdir(), 'redoubt-alone-'));
const claim = join(folder, '.redoubt-installing');
after(() => rmSync(folder, { recursive: true, force: true }));

test('two installations into a folder run one after another', async () => {
  const events: string[] = [];
  const install = (name: string): Promise<void> =>
    alone(folder, async () => {
      events.push(`${name} starts`);
      await setTimeout(50);
      events.push(`${name} ends`);
    });
  await Promise.all([install('first'), install('second')]);
  deepEqual(events, ['first starts', 'first ends', 'second starts', 'second ends']);
  equal(existsSync(claim), false);
});

test('an installation that was killed does not block the next one', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  writeFileSync(claim, String(pid));
  equal(await alone(folder, () => Promise.resolve('installed')), 'installed');
});
