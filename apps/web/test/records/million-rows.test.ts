import type { RowsPage, RowsRequest } from '@redoubt/contract';
import { bodyOf } from '@redoubt/testkit';
import { equal, ok } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { firstLoadBytes } from '../budget/measure.ts';
import { openRecordsFixture, type RecordsFixture } from './records-fixture.ts';

const rowCount = 1_000_000;
const columnCount = 100;
const fields = Array.from({ length: columnCount }, (_, at) => `column_${String(at).padStart(2, '0')}`);
/** Bytes of JavaScript (brotli) that the first page loads at most. */
const maxFirstLoad = 250_000;
const maxCells = 600;

let house: RecordsFixture;
let page: Page;
let requests = 0;

/** The rows that a server with a million records would return: what is tested here is the grid. */
const rowsFor = ({ offset = 0, limit }: RowsRequest): RowsPage => ({
  rows: Array.from({ length: Math.min(limit, rowCount - offset) }, (_, at) => ({
    id: `00000000-0000-7000-8000-${String(offset + at).padStart(12, '0')}`,
    cells: Object.fromEntries(fields.map((field) => [field, `${String(offset + at)} ${field}`])),
    cut: [],
  })),
  view: 'a-view',
  stale: false,
  total: rowCount,
});

before(async () => {
  house = await openRecordsFixture();
  const id = await house.fixture.dataset(['read']);
  bodyOf(
    200,
    await house.fixture.write(id, [Object.fromEntries(fields.map((field) => [field, `0 ${field}`]))]),
  );
  page = await house.openRecords(house.ada);
  await page.route('**/datasets/*/rows', async (route) => {
    requests++;
    await route.fulfill({ json: rowsFor(route.request().postDataJSON() as RowsRequest) });
  });
  await page.goto(`${house.house.server.url}/app/datasets/${id}`);
  await page.getByText('1,000,000 records', { exact: true }).waitFor();
});
after(async () => {
  await house.house.close();
});

const scroller = () => page.getByRole('grid');
const cellCount = (): Promise<number> => page.locator('.grid-cell').count();
const waitForRow = (row: number): Promise<void> =>
  page
    .locator(`.grid-row[data-row="${String(row)}"]`)
    .getByText(`${String(row)} column_00`)
    .waitFor();

describe('a grid of a million rows and a hundred columns', () => {
  test('the first page loads no more JavaScript than its budget', () => {
    const bytes = firstLoadBytes(house.house.build);
    ok(bytes <= maxFirstLoad, `${String(bytes)} bytes`);
  });

  test('a hundred steps of scrolling keep few cells and need few requests, and every row in view is painted', async () => {
    const before = requests;
    for (let step = 1; step <= 100; step++) {
      await scroller().evaluate((element) => {
        element.scrollTop += 250;
      });
      ok((await cellCount()) <= maxCells, `${String(await cellCount())} cells`);
    }
    await waitForRow(Math.ceil(25_000 / 36));
    equal(await page.locator('.grid-waiting').count(), 0);
    // 700 rows are seven pages, and the next one is loaded before it is in view.
    ok(requests - before <= 10, `${String(requests - before)} requests`);
  });

  test('every row is reachable: by the scrollbar, by End, by a jump to its number, and step by step', async () => {
    await scroller().evaluate((element) => {
      element.scrollTop = element.scrollHeight;
    });
    await waitForRow(rowCount - 1);
    await scroller().evaluate((element) => {
      element.scrollTop = 0;
    });
    await waitForRow(0);
    await scroller().focus();
    await page.keyboard.press('Control+End');
    await page.getByText(`${String(rowCount - 1)} column_99`, { exact: true }).waitFor();
    await page.keyboard.press('Home');
    await waitForRow(rowCount - 1);
    for (const row of [543_210, 999_000, 500_000, 2]) {
      await page.getByLabel('Go to row').fill(String(row));
      await page.keyboard.press('Enter');
      await waitForRow(row - 1);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('PageDown');
      equal(
        await page.locator('.grid-cell[data-active="true"]').evaluate((cell) => {
          const box = cell.getBoundingClientRect();
          const frame = cell.closest('[role=grid]')?.getBoundingClientRect();
          return frame !== undefined && box.top >= frame.top && box.bottom <= frame.bottom + 1;
        }),
        true,
        `row ${String(row)}`,
      );
    }
    ok((await cellCount()) <= maxCells);
  });
});
