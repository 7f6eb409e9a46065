import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { disablePromiseHooks } from './disable-promise-hooks.ts';

disablePromiseHooks();
const { test } = await import('node:test');

/**
 * Claims and runs test files, one after another, until all files are claimed by this or another process. The arguments
 * are the folder where the processes mark their claims, the time after which no file starts, and the files. Each file
 * is a test that contains its tests.
 */
const [claims = '', deadline = 'Infinity', ...files] = process.argv.slice(2);

// Idle engines and databases do not keep a process alive, and a test may wait for something without a handle in this
// process, such as another process. Without a timer, the process would end in the middle of its files.
const keepAlive = setInterval(() => undefined, 60_000);

for (const [index, file] of files.entries()) {
  if (Date.now() > Number(deadline)) break;
  if (!claim(index)) continue;
  await test(file, async () => {
    await import(pathToFileURL(file).href);
  });
}

clearInterval(keepAlive);

function claim(index: number): boolean {
  try {
    mkdirSync(join(claims, String(index)));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
