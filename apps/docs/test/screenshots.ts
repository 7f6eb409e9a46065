import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { builtSite } from './build.ts';
import { startBrowser } from '@redoubt/testkit/browser';
import { pageTypes } from './page-types.ts';
import { takePictures } from './pictures.ts';
import { startSite } from './serve.ts';

/** Pages that a new reader opens first. They are photographed besides one page of each kind. */
const firstPages = [
  ['five-minutes', '/docs/getting-started/five-minutes/'],
  ['how-it-works', '/docs/getting-started/how-it-works/'],
  ['guide', '/docs/datasets/adding-data/upload/'],
  ['settings', '/docs/reference/settings/'],
  ['api-call', '/api/query/'],
] as const;

/** The folder for the pictures: the first argument, `screenshots` by default. */
const folder = resolve(process.argv[2] ?? 'screenshots');
mkdirSync(folder, { recursive: true });

const site = await startSite(await builtSite());
const chromium = await startBrowser();
try {
  const taken = await takePictures(chromium, {
    origin: site.origin,
    pages: [...pageTypes, ...firstPages],
    folder,
  });
  console.log(`${taken.length} pictures in ${folder}`);
} finally {
  await chromium.close();
  await site.stop();
}
