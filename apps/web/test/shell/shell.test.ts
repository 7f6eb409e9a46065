import {
  bodyOf,
  createRecordFixture,
  labelField,
  type RecordFixture,
  type TestPerson,
} from '@redoubt/testkit';
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { accessibilityFaults, openConsole, signIn, type ConsoleFixture } from '../console-fixture.ts';

let rig: ConsoleFixture;
let fixture: RecordFixture;
/** May read one of the two datasets. */
let reader: TestPerson;
let dataset: string;

before(async () => {
  rig = await openConsole();
  fixture = await createRecordFixture(rig.server);
  reader = await fixture.newReader();
  dataset = await fixture.dataset(['read'], { name: 'Beacons' });
  await fixture.dataset([], { name: 'Beacons kept secret' });
  const records = [{ name: 'Alpha', label: '' }];
  bodyOf(200, await fixture.write(dataset, records, { labelInfo: labelField }));
});
after(() => rig.close());

const openAs = async (
  person: TestPerson,
  path: string,
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; page: Page }> => {
  const context = await rig.openContext(options);
  const page = await rig.openPage(context);
  await signIn(page, person);
  await page.goto(`${rig.server.url}${path}`);
  return { context, page };
};

const palette = (page: Page) => page.getByRole('combobox', { name: 'Search or run' });
const options = (page: Page): Promise<string[]> => page.getByRole('option').allInnerTexts();
const isFocusIn = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate((wanted) => document.activeElement?.closest(wanted) !== null, selector);

describe('the command palette and the shortcuts', () => {
  test('a dataset is opened by keyboard alone, and those that the person may not read are not offered', async () => {
    const { context, page } = await openAs(reader, '/app/jobs');
    await page.getByText('You have started no jobs').waitFor();
    await page.keyboard.press('Control+k');
    await palette(page).waitFor();
    await page.keyboard.type('bea');
    await page.getByRole('option', { name: 'Beacons' }).waitFor();
    deepEqual(await options(page), ['Beacons', 'Search records for “bea”']);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Beacons' }).waitFor();
    // What was run last comes first.
    await page.keyboard.press('Control+k');
    await page.getByText('Recent', { exact: true }).waitFor();
    match((await options(page))[0] ?? '', /^Beacons/);
    await context.close();
  });

  test('Escape closes the palette and gives the focus back, and arrows choose', async () => {
    const { context, page } = await openAs(reader, '/app/datasets');
    const filter = page.getByLabel('Filter by name');
    await filter.focus();
    await page.keyboard.press('Control+k');
    await palette(page).waitFor();
    await page.keyboard.press('Escape');
    await palette(page).waitFor({ state: 'hidden' });
    ok(await filter.evaluate((field) => field === document.activeElement));
    await page.keyboard.press('Control+k');
    await palette(page).fill('go to');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    equal(await page.locator('[aria-selected="true"]').innerText(), 'Go to Search\nG\nthen\nS');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Search' }).waitFor();
    await context.close();
  });

  test('on a phone, where the palette fills the window, a button closes it', async () => {
    const { context, page } = await openAs(reader, '/app/datasets', {
      viewport: { width: 390, height: 844 },
    });
    await page.getByRole('button', { name: 'Search or run' }).click();
    await palette(page).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await palette(page).waitFor({ state: 'hidden' });
    await context.close();
  });

  test('what cannot be found is searched for in the records', async () => {
    const { context, page } = await openAs(reader, '/app/datasets');
    await page.getByRole('button', { name: 'Search or run' }).click();
    await palette(page).fill('alpha');
    await page.getByText('Nothing matches.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('1 match in 1 dataset').waitFor();
    equal(new URL(page.url()).searchParams.get('q'), 'alpha');
    await context.close();
  });

  test('shortcuts work everywhere except in fields, and a question mark lists them', async () => {
    const { context, page } = await openAs(reader, '/app/datasets');
    await page.getByRole('link', { name: 'Beacons' }).waitFor();
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.getByText('Go to Jobs').waitFor();
    await list.getByText('New dataset').waitFor();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
    await page.keyboard.press('/');
    ok(await isFocusIn(page, 'input'));
    await page.keyboard.type('gj?');
    equal(await page.getByLabel('Filter by name').inputValue(), 'gj?');
    await page.getByLabel('Filter by name').fill('');
    await page.getByRole('heading', { name: 'Datasets' }).click();
    await page.keyboard.press('c');
    await page.getByRole('dialog', { name: 'New dataset' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('g');
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    await context.close();
  });

  test('shortcuts of single keys can be turned off, and Ctrl K stays', async () => {
    const { context, page } = await openAs(reader, '/app/preferences');
    await page.getByLabel('Single-key shortcuts').uncheck();
    await page.reload();
    await page.getByRole('heading', { name: 'Preferences' }).click();
    equal(await page.getByLabel('Single-key shortcuts').isChecked(), false);
    await page.keyboard.press('g');
    await page.keyboard.press('j');
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await palette(page).waitFor();
    equal(await page.getByRole('dialog').count(), 1);
    match(page.url(), /preferences$/);
    await context.close();
  });
});

describe('the account menu', () => {
  test('it leads to the preferences, and to the documentation in a new tab', async () => {
    const { context, page } = await openAs(reader, '/app/jobs');
    const menu = page.locator('header button[aria-haspopup="menu"]');
    await menu.click();
    const documentation = page.getByRole('menuitem', { name: 'Documentation' });
    deepEqual(
      await documentation.evaluate((link: HTMLAnchorElement) => [
        link.getAttribute('href'),
        link.target,
        link.rel,
      ]),
      ['/docs/intro/', '_blank', 'noopener'],
    );
    await page.getByRole('menuitem', { name: 'Preferences' }).click();
    await page.getByRole('heading', { name: 'Preferences' }).waitFor();
    equal(await page.getByRole('menu').count(), 0);
    await context.close();
  });
});

describe('preferences', () => {
  test('times are shown in the zone that the person chose, and rows have the chosen height', async () => {
    const { context, page } = await openAs(reader, '/app/preferences');
    await page.getByLabel('Time zone').selectOption('Asia/Kolkata');
    await page.getByText(/GMT\+5:30/).waitFor();
    await page.getByLabel('Height of rows').selectOption('compact');
    await page.goto(`${rig.server.url}/app/datasets/${dataset}`);
    const row = page.locator('.grid-row').first();
    await row.waitFor();
    equal((await row.boundingBox())?.height, 28);
    await row.getByRole('gridcell').first().dblclick();
    const panel = page.getByRole('complementary', { name: 'Record' });
    match(await panel.locator('time').first().innerText(), /GMT\+5:30$/);
    await page.goto(`${rig.server.url}/app/datasets`);
    await page.getByText(/as of [\d:]+ GMT\+5:30/).waitFor();
    await context.close();
  });
});

describe('a server that cannot be reached', () => {
  test('a bar says so, what was typed stays, and the page goes on by itself', async () => {
    const { context, page } = await openAs(reader, '/app/sql');
    const editor = page.getByLabel('SQL', { exact: true });
    await editor.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('SELECT 41 + 1 AS answer');
    await context.setOffline(true);
    await page.getByText('The server cannot be reached.').waitFor();
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('status', { name: 'Loading the page' }).waitFor();
    equal(await page.getByRole('alert').count(), 0);
    await context.setOffline(false);
    await page.getByRole('table', { name: 'People' }).waitFor();
    await page.getByText('The server cannot be reached.').waitFor({ state: 'hidden' });
    await page.goBack();
    await editor.click();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('gridcell', { name: '42' }).waitFor();
    await context.close();
  });

  test('a person whose session is over reads why they sign in again', async () => {
    const { context, page } = await openAs(reader, '/app/datasets');
    await page.getByRole('link', { name: 'Beacons' }).waitFor();
    await context.clearCookies();
    await page.getByRole('link', { name: 'Beacons' }).click();
    await page.getByText('Your session has ended').waitFor();
    equal(page.url(), `${rig.server.url}/app/`);
    await context.close();
  });
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds no fault in the palette, the shortcuts, the preferences and the bar (${colorScheme})`, async () => {
    // axe itself sets style attributes.
    const { context, page } = await openAs(reader, '/app/preferences', { colorScheme, bypassCSP: true });
    await page.getByRole('heading', { name: 'Preferences' }).waitFor();
    deepEqual(await accessibilityFaults(page), [], 'preferences');
    await page.keyboard.press('Control+k');
    await palette(page).fill('bea');
    deepEqual(await accessibilityFaults(page), [], 'palette');
    await page.keyboard.press('Escape');
    await palette(page).waitFor({ state: 'hidden' });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    deepEqual(await accessibilityFaults(page), [], 'shortcuts');
    await page.keyboard.press('Escape');
    await context.setOffline(true);
    await page.getByText('The server cannot be reached.').waitFor();
    deepEqual(await accessibilityFaults(page), [], 'bar');
    await context.close();
  });
}

test('no page is wider than its window at 390, 900 and 1440 pixels', async () => {
  const { context, page } = await openAs(fixture.workspace.admin, '/app/datasets');
  for (const path of [
    '/app/datasets',
    `/app/datasets/${dataset}`,
    '/app/search?q=alpha',
    '/app/sql',
    '/app/jobs',
    '/app/people',
    '/app/groups',
    '/app/attributes',
    '/app/datasets/new',
    '/app/preferences',
  ]) {
    for (const width of [390, 900, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(`${rig.server.url}${path}`);
      await page.waitForLoadState('networkidle');
      const sizes = await page.evaluate(() =>
        ['html', 'main'].map((name) => {
          const { scrollWidth = 0, clientWidth = 0 } = document.querySelector(name) ?? {};
          return scrollWidth - clientWidth;
        }),
      );
      deepEqual(sizes, [0, 0], `${path} at ${String(width)} px`);
    }
  }
  await context.close();
});

test('no page breaks its policy, fails in a script or sends a request to another host', () => {
  deepEqual(rig.complaints, []);
});
