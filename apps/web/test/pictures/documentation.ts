import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openConsole } from '../console-fixture.ts';
import { fillWorkspace, type FilledWorkspace } from './fill-workspace.ts';
import { openPeople } from './open-people.ts';
import { chiefShots, otherShots, type Shot } from './shots.ts';

/** Photographs the pages that the documentation shows. An argument takes only those with this name. */
const [only] = process.argv.slice(2);
const folder = join(import.meta.dirname, '../../../docs/static/img/console');

/** Small enough that texts stay readable beside the text of a page, and above the width of a telephone. */
const viewport = { width: 1024, height: 640 };
const scale = 1.5;

const ownShots = (): readonly Shot[] => [
  {
    name: 'new dataset',
    as: 'ada',
    path: '/app/datasets',
    act: async (page) => {
      await page.getByRole('button', { name: 'New dataset' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await dialog.getByLabel('Name').fill('Runway inspections 2026');
    },
  },
];

/** The shots of the console's own pictures that the documentation shows. */
const shown: ReadonlySet<string> = new Set([
  'sign-in',
  'sign up',
  'workspace',
  'datasets',
  'import',
  'import from a source',
  'import on a schedule',
  'records',
  'search',
  'sql',
  'group',
  'new dataset',
]);

const shotsOf = (place: FilledWorkspace): readonly Shot[] =>
  [...chiefShots(place), ...otherShots(place, ''), ...ownShots()].filter(
    ({ name }) => shown.has(name) && (only === undefined || name === only),
  );

/** Converts a picture to WebP in the browser, which takes a third of the bytes. */
const toWebp = (page: Page, png: Buffer): Promise<string> =>
  page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext('2d')?.drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', 0.85).replace(/^.*,/, '');
  }, png.toString('base64'));

mkdirSync(folder, { recursive: true });
const house = await openConsole();
try {
  const place = await fillWorkspace(house.server.url, Number.POSITIVE_INFINITY);
  for (const colorScheme of ['light', 'dark'] as const) {
    const people = openPeople(house, place, {
      viewport,
      colorScheme,
      deviceScaleFactor: scale,
      reducedMotion: 'reduce',
    });
    const blank = await (await house.openContext()).newPage();
    for (const shot of shotsOf(place)) {
      const page = await (await people.contextOf(shot.as)).newPage();
      page.setDefaultTimeout(120_000);
      await shot.prepare?.(page);
      await page.goto(`${house.server.url}${shot.path}`);
      await shot.act(page);
      await page.evaluate(() => document.fonts.ready);
      await page.waitForTimeout(500);
      const webp = await toWebp(blank, await page.screenshot());
      const file = `${shot.name.replaceAll(' ', '-')}-${colorScheme}.webp`;
      writeFileSync(join(folder, file), Buffer.from(webp, 'base64'));
      console.log(`${file}: ${String(Math.round(webp.length * 0.00075))} kB`);
      await page.close();
    }
    await people.close();
  }
} finally {
  await house.close();
}
process.exit();
