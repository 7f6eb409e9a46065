import {
  addMember,
  bodyOf,
  createRecordFixture,
  labelField,
  type RecordFixture,
  type TestPerson,
} from '@redoubt/testkit';
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { accessibilityFaults, cells, openConsole, signIn, type ConsoleFixture } from '../console-fixture.ts';

let house: ConsoleFixture;
let fixture: RecordFixture;
/** A member who holds EU and may read the dataset. */
let reader: TestPerson;
let dataset: string;

before(async () => {
  house = await openConsole();
  fixture = await createRecordFixture(house.server);
  reader = await fixture.newReader('EU');
  dataset = await fixture.dataset(['read', 'write'], { name: 'Notams' });
  const records = [
    { note: 'runway closed', priority: 0, label: '' },
    { note: 'for Europe alone', priority: 9, label: 'EU' },
    { note: '=1+1', priority: 1, label: '' },
  ];
  bodyOf(200, await fixture.write(dataset, records, { labelInfo: labelField }));
});
after(() => house.close());

const openAs = async (
  person: TestPerson,
  path: string,
  options: Parameters<ConsoleFixture['openContext']>[0] = {},
): Promise<{ context: BrowserContext; page: Page }> => {
  const context = await house.openContext(options);
  const page = await house.openPage(context);
  await signIn(page, person);
  await page.goto(`${house.server.url}${path}`);
  return { context, page };
};

const editor = (page: Page) => page.getByLabel('SQL', { exact: true });

const write = async (page: Page, text: string): Promise<void> => {
  await editor(page).focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
};

const run = async (page: Page, text: string): Promise<void> => {
  await write(page, text);
  await page.keyboard.press('Control+Enter');
};

/** Statements that a page sends. */
const watchStatements = (page: Page): string[] => {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'POST' || !request.url().endsWith('/query')) return;
    sent.push((request.postDataJSON() as { expression: string }).expression);
  });
  return sent;
};

const endless =
  'SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b WHERE a + b < 0';

/** The drafts of the browser as they are stored. */
const storedRows = (target: Page): Promise<{ count: number; text: string }> =>
  target.evaluate(
    () =>
      new Promise((resolve) => {
        const open = indexedDB.open('redoubt-drafts', 1);
        open.addEventListener('success', () => {
          const all = open.result.transaction('drafts').objectStore('drafts').getAll();
          all.addEventListener('success', () => {
            const rows = all.result as { sealed: ArrayBuffer }[];
            const text = rows.map(({ sealed }) => new TextDecoder('latin1').decode(sealed)).join('');
            open.result.close();
            resolve({ count: rows.length, text: JSON.stringify(rows) + text });
          });
        });
      }),
  );

describe('the SQL workbench', () => {
  test('only the statement at the cursor is sent and outlined, and a selection instead of it', async () => {
    const { context, page } = await openAs(reader, '/app/sql');
    const sent = watchStatements(page);
    await write(page, 'SELECT 1 AS a;\nSELECT 2 AS b;\nSELECT 3 AS c');
    await page.keyboard.press('ArrowUp');
    equal(await page.locator('.cm-statement').innerText(), 'SELECT 2 AS b');
    await page.keyboard.press('Control+Enter');
    await page.getByText(/^1 row · /).waitFor();
    deepEqual(await cells(page), ['2']);
    await page.keyboard.press('Control+Shift+Enter');
    await page.getByRole('columnheader').filter({ hasText: /^c/ }).waitFor();
    deepEqual(sent, ['SELECT 2 AS b', 'SELECT 1 AS a', 'SELECT 2 AS b', 'SELECT 3 AS c']);
    await context.close();
  });

  test('keys that are shortcuts elsewhere are text in the editor', async () => {
    const { context, page } = await openAs(reader, '/app/sql');
    await write(page, '');
    await page.keyboard.type('select 5 as c /* ? g d */');
    await page.keyboard.press('Control+Enter');
    await page.getByText(/^1 row · /).waitFor();
    deepEqual(await cells(page), ['5']);
    equal(await page.getByRole('tab').count(), 1);
    equal(new URL(page.url()).pathname, '/app/sql');
    await context.close();
  });

  test('a result says whether more rows exist, and loads them', async () => {
    const { context, page } = await openAs(reader, '/app/sql');
    await run(page, 'SELECT n FROM generate_series(1, 1000) AS n');
    await page.getByText(/^1,000 rows · /).waitFor();
    equal(await page.getByRole('button', { name: /^Load/ }).count(), 0);
    await run(page, 'SELECT n FROM generate_series(1, 1001) AS n');
    await page.getByText(/^1,000 rows shown · more exist/).waitFor();
    await page.getByRole('button', { name: 'Load 1,000 more' }).click();
    await page.getByText(/^1,001 rows · /).waitFor();
    await page.getByRole('button', { name: 'Maximum rows to show' }).click();
    await page.getByRole('menuitem', { name: '100 rows', exact: true }).click();
    await page.getByRole('button', { name: 'Run (100)' }).click();
    await page.getByText(/^100 rows shown · more exist/).waitFor();
    await context.close();
  });

  test('an error is underlined at its place, with what to do', async () => {
    const { context, page } = await openAs(reader, '/app/sql');
    await run(page, 'SELECT 1; SELECT \'💩\', nope FROM "Notams"');
    match(
      await page.getByRole('alert').innerText(),
      /"nope" does not exist[\s\S]*Name a column[\s\S]*SqlParseError/,
    );
    equal(await page.locator('.cm-wrong').innerText(), 'nope');
    await page.keyboard.press('End');
    await page.keyboard.insertText(' ');
    equal(await page.locator('.cm-wrong').count(), 0);
    await context.close();
  });

  test('canceling ends the statement on the server, while other tabs go on and keep their results', async () => {
    const { context, page } = await openAs(reader, '/app/sql');
    await run(page, 'SELECT 41 AS kept');
    await page.getByText(/^1 row · /).waitFor();
    await run(page, endless);
    await page.getByRole('button', { name: /^Cancel \([1-9]/ }).waitFor();
    await page.getByText(/before the last run/).waitFor();
    await page.getByRole('button', { name: 'New query' }).click();
    await run(page, 'SELECT 42 AS other');
    await page.getByText(/^1 row · /).waitFor();
    deepEqual(await cells(page), ['42']);
    await page.getByRole('tab').first().click();
    deepEqual(await cells(page), ['41']);
    await page.getByRole('button', { name: /^Cancel \(/ }).click();
    match(await page.getByRole('alert').innerText(), /was cancelled/);
    deepEqual(await cells(page), ['41'], 'the last result stays');
    await context.close();
  });

  test('a draft survives the page with its cursor, encrypted, and only its person gets it back', async () => {
    const { context, page } = await openAs(reader, '/app/sql');
    await write(page, "SELECT 'a telling text' AS x");
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowLeft');
    // The tab is stored half a second after the last key; closing the page without its events loses no more than that.
    await page.waitForTimeout(700);
    const { count, text } = await storedRows(page);
    ok(count > 0);
    ok(!text.includes('telling'), text);
    await page.close({ runBeforeUnload: false });

    const again = await house.openPage(context, '/app/sql');
    await editor(again).getByText('a telling text').waitFor();
    await editor(again).focus();
    await again.keyboard.insertText('MARK');
    await editor(again).getByText("'a telling text'MARK AS x").waitFor();
    await again.waitForTimeout(700);

    await again.locator('header button[aria-haspopup="menu"]').click();
    await again.getByRole('menuitem', { name: 'Sign out' }).click();
    await again.getByRole('heading', { name: 'Sign in' }).waitFor();
    ok(!(await again.content()).includes('telling'));
    await signIn(again, fixture.workspace.admin);
    await again.goto(`${house.server.url}/app/sql`);
    await editor(again).waitFor();
    ok(!(await editor(again).innerText()).includes('telling'));
    equal(await again.getByRole('tab').count(), 1);
    await context.close();
  });

  test('a draft is kept when its page is left within the app before the next save', async () => {
    const { context, page } = await openAs(reader, '/app/sql');
    await write(page, 'SELECT 5 AS left_early');
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('heading', { name: /history/i }).waitFor();
    await page.goBack();
    await editor(page).getByText('left_early').waitFor();
    await page.reload();
    await editor(page).getByText('left_early').waitFor();
    await context.close();
  });

  test('two windows on one draft do not overwrite each other', async () => {
    const { context, page } = await openAs(reader, '/app/sql');
    await page.getByRole('button', { name: 'New query' }).click();
    await write(page, 'SELECT 1 AS first');
    await page.waitForTimeout(700);
    const other = await house.openPage(context, new URL(page.url()).pathname + new URL(page.url()).search);
    await editor(other).getByText('first').waitFor();
    await write(other, 'SELECT 2 AS second');
    await other.waitForTimeout(700);
    await write(page, 'SELECT 3 AS third');
    await page.getByText('Another window changed this draft').waitFor();
    await page.getByRole('button', { name: 'Keep both' }).click();
    await editor(page).getByText('third').waitFor();
    await page.waitForTimeout(700);
    await page.reload();
    await editor(page).getByText('third').waitFor();
    await other.reload();
    await editor(other).getByText('second').waitFor();
    await context.close();
  });

  test('a saved query has an address, and a change of an old version overwrites nothing', async () => {
    const { context, page } = await openAs(reader, '/app/sql');
    await page.getByRole('button', { name: 'New query' }).click();
    await write(page, 'SELECT 1 AS saved');
    await page.keyboard.press('Control+s');
    await page.getByLabel('Name of the query').fill('Mine alone');
    await page.getByRole('button', { name: 'Save query' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Mine alone' }).click();
    await page.waitForURL(/\/app\/sql\/[0-9a-f-]{36}/);
    const id = /\/sql\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? '';
    await fixture.call(200, 'PATCH', `/saved-queries/${id}`, {
      token: reader.token,
      body: { version: 1, text: 'SELECT 2 AS theirs' },
    });
    await write(page, 'SELECT 3 AS mine');
    await page.keyboard.press('Control+s');
    await page.getByText('The saved query has changed since version 1').waitFor();
    const { text } = await fixture.call<{ text: string }>(200, 'GET', `/saved-queries/${id}`, {
      token: reader.token,
    });
    equal(text, 'SELECT 2 AS theirs');
    await page.getByRole('button', { name: 'Show the saved text' }).click();
    await editor(page).getByText('theirs').waitFor();

    const stranger = await openAs(fixture.workspace.admin, `/app/sql/${id}`);
    await stranger.page.getByText('There is no such saved query').waitFor();
    await stranger.context.close();
    await context.close();
  });

  test('what was run is in the history, opens again, and is deleted', async () => {
    const person = await addMember(house.server, fixture.workspace);
    const { context, page } = await openAs(person, '/app/sql');
    await run(page, 'SELECT 7 AS seven');
    await page.getByText(/^1 row · /).waitFor();
    await page.getByRole('link', { name: 'History' }).click();
    const row = page.getByRole('row').filter({ hasText: 'SELECT 7 AS seven' });
    match(await row.innerText(), /Completed/);
    await row.getByRole('button', { name: 'Open' }).click();
    await editor(page).getByText('seven').waitFor();
    await page.goto(`${house.server.url}/app/sql/history`);
    await page.getByRole('button', { name: 'Delete the history' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the history' }).click();
    await page.getByText('You have run nothing yet').waitFor();
    await context.close();
  });

  test('all rows are exported, guarded for spreadsheets where that is chosen', async () => {
    const { context, page } = await openAs(reader, '/app/sql');
    await run(page, 'SELECT note, priority FROM "Notams" ORDER BY priority');
    await page.getByText(/^3 rows · /).waitFor();
    const fileOf = async (format: string): Promise<string> => {
      await page.getByRole('button', { name: 'Export all' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: format }).first().click(),
      ]);
      equal(await download.failure(), null);
      return readFileSync(await download.path(), 'utf8');
    };
    equal(
      await fileOf('CSV Every value'),
      '"note","priority"\r\n"runway closed",0\r\n"=1+1",1\r\n"for Europe alone",9\r\n',
    );
    match(await fileOf('CSV for spreadsheets'), /\r\n"'=1\+1",1\r\n/);
    await context.close();
  });

  test('a result is drawn, with its figures as a table', async () => {
    const { context, page } = await openAs(reader, '/app/sql');
    await run(page, 'SELECT note, priority FROM "Notams" ORDER BY priority');
    await page.getByRole('button', { name: 'Plot', exact: true }).click();
    await page
      .getByRole('img', { name: /^priority by note/ })
      .locator('canvas')
      .waitFor();
    const table = page.getByRole('table', { name: 'priority by note' });
    deepEqual(await table.getByRole('cell').allTextContents(), [
      'runway closed',
      '0',
      '=1+1',
      '1',
      'for Europe alone',
      '9',
    ]);
    await page.getByRole('combobox', { name: 'Plot' }).click();
    await page.getByRole('option', { name: 'Histogram' }).click();
    await page.getByRole('table', { name: 'How often values of priority occur' }).waitFor();
    await context.close();
  });

  test('completion offers visible datasets, their columns and documented functions', async () => {
    const { context, page } = await openAs(reader, '/app/sql');
    await write(page, 'SELECT  FROM "Notams"');
    await page.keyboard.press('Home');
    for (let step = 0; step < 7; step += 1) await page.keyboard.press('ArrowRight');
    const options = page.locator('.cm-tooltip-autocomplete li');
    await page.keyboard.type('pri');
    await options.filter({ hasText: 'priority' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.type(' dat');
    await options.filter({ hasText: 'date_trunc' }).waitFor();
    await context.close();
  });
});

describe('search', () => {
  test('matches of each visible dataset are shown with the words marked, and none that is hidden', async () => {
    const { context, page } = await openAs(reader, '/app/search?q=europe');
    await page.getByText('1 match in 1 dataset').waitFor();
    equal(await page.locator('mark').innerText(), 'Europe');
    await context.close();
    const admin = await openAs(fixture.workspace.admin, '/app/search?q=europe');
    await admin.page.getByText('No record that you see matches').waitFor();
    ok(!(await admin.page.locator('main').innerText()).includes('for Europe'));
    await admin.context.close();
  });

  test('a wrong search is underlined and explained, and is never sent', async () => {
    const { context, page } = await openAs(reader, '/app/search');
    const box = page.getByLabel('Search in Lucene');
    await box.click();
    await page.keyboard.insertText('note:(runway');
    await page.keyboard.press('Enter');
    match(await page.getByRole('alert').innerText(), /closing \)/);
    equal(await page.locator('.cm-wrong').innerText(), '(');
    equal(new URL(page.url()).search, '');
    await page.keyboard.insertText(')');
    await page.keyboard.press('Enter');
    await page.getByText('1 match in 1 dataset').waitFor();
    match(page.url(), /q=note/);
    await context.close();
  });
});

describe('jobs', () => {
  test('one’s own jobs are listed live, each with its parts, and nobody else’s', async () => {
    const owner = await fixture.newReader('EU');
    const { context, page } = await openAs(owner, '/app/jobs');
    await page.getByText('You have started no jobs').waitFor();
    await fixture.call(202, 'POST', `/storage/datasets/${dataset}/deleteRecords`, {
      token: owner.token,
      body: { recordIds: ['none'] },
    });
    await page.getByRole('link', { name: 'Delete records' }).waitFor();
    await page.getByText('Completed').first().waitFor();
    await page.getByRole('link', { name: 'Delete records' }).click();
    await page.getByRole('region', { name: 'Segments' }).getByText('Completed').waitFor();
    await context.close();
    const other = await openAs(await fixture.newReader(), '/app/jobs');
    await other.page.getByText('You have started no jobs').waitFor();
    await other.context.close();
  });
});

for (const scheme of ['light', 'dark'] as const) {
  test(`axe finds no fault on the pages of SQL, search and jobs in the ${scheme} scheme`, async () => {
    // axe itself sets style attributes.
    const { context, page } = await openAs(reader, '/app/sql', { colorScheme: scheme, bypassCSP: true });
    await run(page, 'SELECT * FROM "Notams"');
    await page.getByText(/^3 rows · /).waitFor();
    deepEqual(await accessibilityFaults(page), [], 'rows');
    await page.getByRole('button', { name: 'Plot', exact: true }).click();
    await page.locator('canvas').waitFor();
    deepEqual(await accessibilityFaults(page), [], 'plot');
    await run(page, 'SELECT nope');
    await page.getByRole('alert').waitFor();
    deepEqual(await accessibilityFaults(page), [], 'error');
    for (const [path, text] of [
      ['/app/sql/history', 'SELECT nope'],
      ['/app/search', 'Try one'],
      ['/app/search?q=runway', '1 match in'],
      ['/app/jobs', /that you started|You have started no jobs/],
    ] as const) {
      await page.goto(`${house.server.url}${path}`);
      await page.getByText(text).first().waitFor();
      deepEqual(await accessibilityFaults(page), [], path);
    }
    await context.close();
  });
}

test('no page of SQL, search or jobs breaks its policy, fails in a script or asks another host', () => {
  deepEqual(house.complaints, []);
});
