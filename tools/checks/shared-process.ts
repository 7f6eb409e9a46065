import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { disablePromiseHooks } from './disable-promise-hooks.ts';

disablePromiseHooks();
const { test } = await import('node:test');

/**
 * Runs test files one after another in this process, as long as some are left that no other process has taken.
 * Called with the folder where the processes mark what is taken, and the files. Each is a test that holds its tests.
 */
const [claims = '', ...files] = process.argv.slice(2);

// Idle engines and databases do not keep a process alive, and a test may wait for what has no handle of its own here, such as
// another process: without one, the process would end in the middle of its files.
const awake = setInterval(() => undefined, 60_000);

for (const [index, file] of files.entries()) {
  if (!take(index)) continue;
  await test(file, async () => {
    await import(pathToFileURL(file).href);
  });
}

clearInterval(awake);

function take(index: number): boolean {
  try {
    mkdirSync(join(claims, String(index)));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
