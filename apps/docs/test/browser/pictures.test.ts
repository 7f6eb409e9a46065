import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pageTypes } from '../page-types.ts';
import { takePictures } from '../pictures.ts';
import { builtSite, serveSite } from '../site.ts';
import { startBrowser } from '@redoubt/testkit/browser';

test('a page is pictured narrow and wide, in both modes', async () => {
  const site = await serveSite(await builtSite());
  const folder = mkdtempSync(join(tmpdir(), 'redoubt-pictures-'));
  const chromium = await startBrowser();
  try {
    const pages = pageTypes.filter(([name]) => name === 'home');
    const taken = await takePictures(chromium, { origin: site.origin, pages, folder });
    const wanted = ['home-1440-dark.png', 'home-1440-light.png', 'home-390-dark.png', 'home-390-light.png'];
    assert.deepEqual(taken.toSorted(), wanted);
    assert.deepEqual(readdirSync(folder).toSorted(), wanted);
  } finally {
    await chromium.close();
    rmSync(folder, { recursive: true });
  }
});
