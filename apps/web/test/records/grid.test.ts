/* Shows: L16 */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  activeText,
  clipboard,
  fieldNames,
  headers,
  openRecordsFixture,
  type RecordsFixture,
} from './records-fixture.ts';

let house: RecordsFixture['house'];
let openRecords: RecordsFixture['openRecords'];
let ada: RecordsFixture['ada'];
let ben: RecordsFixture['ben'];

before(async () => {
  ({ house, openRecords, ada, ben } = await openRecordsFixture());
});
after(async () => {
  await house.close();
});

describe('the grid of records', () => {
  test('null, empty text, 0 and false look different, and a long value is marked as cut', async () => {
    const page = await openRecords(ada);
    const row = async (n: number): Promise<string[]> =>
      page.locator(`.grid-row[data-row="${String(n)}"] .grid-cell`).allInnerTexts();
    // In the order of the schema: flag, label, long, n, secret, type, zero.
    deepEqual((await row(7)).slice(5), ['""', '0']);
    deepEqual((await row(8)).slice(5), ['null', '0']);
    deepEqual([(await row(7))[0], (await row(8))[0]], ['false', 'true']);
    equal(await page.locator('.grid-cell[data-cut="true"]').count(), 1);
    await page.context().close();
  });

  test('selected cells are copied in each format as they were written', async () => {
    const page = await openRecords(ada);
    await page.locator('.grid-row[data-row="7"] .grid-cell').nth(3).click();
    await page.keyboard.press('Shift+ArrowDown');
    for (let right = 0; right < 3; right++) await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Control+c');
    await page.getByText('Copied 8 cells.').waitFor();
    equal(await clipboard(page), '7\ts3\t\t0\n8\ts0\t\t0');
    const copyAs = async (name: string): Promise<string> => {
      await page.getByRole('button', { name: 'Copy 8 cells' }).click();
      await page.getByRole('menuitem', { name }).click();
      await page.getByRole('menu').waitFor({ state: 'detached' });
      return clipboard(page);
    };
    equal(await copyAs('CSV'), 'n,secret,type,zero\r\n7,s3,"",0\r\n8,s0,,0\r\n');
    deepEqual(JSON.parse(await copyAs('JSON')), [
      { n: 7, secret: 's3', type: '', zero: 0 },
      { n: 8, secret: 's0', type: null, zero: 0 },
    ]);
    equal(await copyAs('List for SQL IN'), "(7, 's3', '', 0, 8, 's0', NULL)");
    match(await copyAs('Markdown table'), /^\| n \| secret \| type \| zero \|\n\| --- /);
    await page.context().close();
  });

  test('columns are resized, pinned, moved and hidden, which a reload keeps and another person does not see', async () => {
    const page = await openRecords(ada);
    const menu = async (column: string, item: string): Promise<void> => {
      await page.getByLabel(`Menu of ${column}`).click();
      await page.getByRole('menuitem', { name: item }).click();
      await page.getByRole('menu').waitFor({ state: 'detached' });
    };
    await menu('n', 'Pin to the left');
    // The key of the marks is requested for the first change alone; from then on each is stored at once.
    await page.waitForFunction(() =>
      Object.keys(localStorage).some((key) => key.startsWith('redoubt-layout-')),
    );
    await menu('label', 'Hide');
    await menu('long', 'Move left');
    const edge = await page.locator('[data-resize="n"]').boundingBox();
    ok(edge !== null);
    await page.mouse.move(edge.x + 4, edge.y + 8);
    await page.mouse.down();
    await page.mouse.move(edge.x - 56, edge.y + 8);
    await page.mouse.up();
    const arranged = ['n', 'long', 'flag', 'secret', 'type', 'zero'];
    deepEqual(await headers(page), arranged);
    await page.reload();
    await page.getByRole('gridcell').first().waitFor();
    deepEqual(await headers(page), arranged);
    equal((await page.locator('.grid-head').first().boundingBox())?.width, 120);
    const stored = await page.evaluate(() => JSON.stringify(localStorage));
    ok(!stored.includes('secret') && !stored.includes('long'), stored);
    // Of seven columns, the four that are not changed are not counted in the storage.
    const layout = await page.evaluate(() => {
      const key = Object.keys(localStorage).find((one) => one.startsWith('redoubt-layout-')) ?? '';
      return localStorage.getItem(key) ?? '';
    });
    equal(layout.match(/"name":"[\w+/]{43}="/g)?.length, 3, layout);
    const other = await openRecords(ben);
    deepEqual(await headers(other), fieldNames);
    await page.getByRole('button', { name: /^Columns/ }).click();
    await page.getByRole('button', { name: 'Reset all columns' }).click();
    await page.keyboard.press('Escape');
    deepEqual(await headers(page), fieldNames);
    await page.context().close();
    await other.context().close();
  });

  test('the whole grid works with the keyboard, and tells where one is', async () => {
    const page = await openRecords(ada);
    const grid = page.getByRole('grid');
    deepEqual(
      [await grid.getAttribute('aria-rowcount'), await grid.getAttribute('aria-colcount')],
      ['351', '7'],
    );
    await grid.focus();
    await page.keyboard.press('Control+End');
    await page.locator('.grid-row[data-row="349"]').waitFor();
    await page.getByRole('status').getByText('0, row 350').waitFor();
    equal(await activeText(page), '0');
    await page.keyboard.press('Control+ArrowLeft');
    equal(await page.locator('.grid-cell[data-active="true"]').getAttribute('aria-colindex'), '1');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('PageDown');
    await page.keyboard.press('PageUp');
    await page.keyboard.press('ArrowUp');
    equal(await page.locator('.grid-head[data-active="true"] .grid-name').innerText(), 'flag');
    await page.keyboard.press('Enter');
    await page.waitForURL(/field%22%3A%22flag/);
    equal(await page.locator('.grid-head').first().getAttribute('aria-sort'), 'ascending');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Space');
    await page.getByRole('menuitem', { name: 'Hide' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Search in Lucene');
    await page.context().close();
  });

  test('no page breaks its policy, fails in a script or sends a request to another host', () => {
    deepEqual(house.complaints, []);
  });
});
