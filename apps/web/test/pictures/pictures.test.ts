import { deepEqual, equal } from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { takePictures } from './take-pictures.ts';

test('a chief page gets a picture of its own, and the states beside it stand on a sheet', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'redoubt-pictures-'));
  const messages: string[] = [];
  try {
    const taken = await takePictures({
      folder,
      only: 'jobs',
      schemes: ['dark'],
      widths: [390],
      maxRows: 50,
      onProgress: (message) => messages.push(message),
    });
    deepEqual(
      taken.map((file) => basename(file)),
      ['jobs-390-dark.png', 'sheet-states-1-390-dark.png'],
    );
    deepEqual(readdirSync(folder).toSorted(), ['jobs-390-dark.png', 'sheet-states-1-390-dark.png']);
    for (const file of taken) equal(readFileSync(file).toString('latin1', 1, 4), 'PNG');
    // No page failed to come into its state, and none complained.
    deepEqual(messages, ['the workspace is filled', '390-dark is photographed']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
