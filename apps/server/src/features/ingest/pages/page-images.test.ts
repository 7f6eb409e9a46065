import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { test } from 'node:test';
import { createPageImages } from './page-images.ts';

test('a page that could not be drawn is tried again after ten minutes', async () => {
  let minutes = 0;
  const results = [undefined, Buffer.from('clip')];
  let tries = 0;
  const images = createPageImages({
    clips: { canClip: () => true, clip: async () => results[tries++] },
    files: { open: async () => open(import.meta.filename) },
    innerFiles: { objectOf: async () => 'object', known: async () => 'object' },
    parts: {
      read: async () => undefined,
      nameOf: async () => undefined,
      keep: async () => undefined,
      keepWords: async () => undefined,
    },
    parserHost: async () => {
      throw new Error('A video needs no page.');
    },
    now: () => minutes * 60_000,
  });
  const draw = async (): Promise<string | undefined> => {
    const file = { fileId: 'f', format: 'mp4', objectName: 'object', firstRow: 0 };
    const requester = { accountId: 'ada', signal: new AbortController().signal };
    return (await images.picture(file, 0, 'page', requester))?.bytes.toString();
  };
  assert.equal(await draw(), undefined);
  minutes = 9;
  assert.deepEqual([await draw(), tries], [undefined, 1]);
  minutes = 11;
  assert.deepEqual([await draw(), tries], ['clip', 2]);
});
