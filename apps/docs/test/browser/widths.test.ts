import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { builtSite, newContext, serveSite } from '../site.ts';

const folder = await builtSite();
const { origin } = await serveSite(folder);

const paths = globSync('docs/**/index.html', { cwd: folder })
  .map((file) => `/${dirname(file)}/`)
  .filter((path) => !/\/(internal-)?release-notes\/./.test(path))
  .filter((path) => !readFileSync(join(folder, path, 'index.html'), 'utf8').includes('http-equiv="refresh"'));

/** The elements of a page that are too wide, and the links of its table of contents that are too low for a finger. */
interface Measures {
  readonly cut: readonly string[];
  readonly low: readonly string[];
}

/** Every page at each width. Scripts are disabled, since the text does not need them. */
describe('every page fits its window', () => {
  const measured = new Map<string, Map<number, Measures>>();

  before(async () => {
    const context = await newContext({ javaScriptEnabled: true });
    const page = await context.newPage();
    await page.route('**/*.js', (route) => route.abort());
    for (const path of paths) {
      await page.goto(origin + path, { waitUntil: 'load' });
      const sizes = new Map<number, Measures>();
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        const measures = await page.evaluate(() => {
          const root = document.documentElement;
          const cut = [...document.querySelectorAll('.table-scroll')]
            .filter((frame) => frame.scrollWidth > frame.clientWidth + 1)
            .map((frame) => `a table takes ${frame.scrollWidth} px of ${frame.clientWidth}`);
          if (root.scrollWidth > innerWidth) cut.push(`the page takes ${root.scrollWidth} px`);
          const low = [...document.querySelectorAll('.table-of-contents__link')]
            .map((link) => ({ link, height: link.getBoundingClientRect().height }))
            .filter(({ height }) => height > 0 && height < 24)
            .map(({ link, height }) => `${link.textContent}: ${height} px`);
          return { cut, low };
        });
        sizes.set(width, measures);
      }
      measured.set(path, sizes);
    }
    await context.close();
  });

  after(() => measured.clear());

  const faults = (width: number, kind: keyof Measures): string[] =>
    [...measured].flatMap(([path, sizes]) =>
      (sizes.get(width)?.[kind] ?? []).map((text) => `${path} ${text}`),
    );

  test('no page and no table scrolls sideways in a window of 390 px', () => {
    assert.ok(measured.size > 80, `${measured.size} pages`);
    assert.deepEqual(faults(390, 'cut'), []);
  });

  test('no table is cut off in a window of 1440 px', () => {
    assert.deepEqual(faults(1440, 'cut'), []);
  });

  test('links of the contents are at least 24 px high', () => {
    assert.deepEqual(faults(1440, 'low'), []);
  });
});
