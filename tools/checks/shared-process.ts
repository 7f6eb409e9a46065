import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

/**
 * Runs test files one after another in this process, as long as some are left that no other process has taken.
 * Called with the folder where the processes mark what is taken, and the files. Each is a test that holds its tests.
 */
const [claims = '', ...files] = process.argv.slice(2);

for (const [index, file] of files.entries()) {
  if (!take(index)) continue;
  await test(file, async () => {
    await import(pathToFileURL(file).href);
  });
}

function take(index: number): boolean {
  try {
    mkdirSync(join(claims, String(index)));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
