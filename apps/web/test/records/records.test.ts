import { bodyOf, labelField } from '@redoubt/testkit';
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { accessibilityFaults, cells, signIn, signOut } from '../console-fixture.ts';
import { byNumber, counted, openRecordsFixture, searchOf, type RecordsFixture } from './records-fixture.ts';

let house: RecordsFixture['house'];
let openRecords: RecordsFixture['openRecords'];
let ada: RecordsFixture['ada'];
let ben: RecordsFixture['ben'];
let fixture: RecordsFixture['fixture'];
let dataset: string;

before(async () => {
  ({ house, openRecords, ada, ben, fixture, dataset } = await openRecordsFixture());
});
after(async () => {
  await house.close();
});

describe('the records of a dataset', () => {
  test('filters, search and sort are in the address, and Back restores each of them', async () => {
    const page = await openRecords(ada, {});
    const states: Record<string, unknown>[] = [searchOf(page)];
    const change = async (act: () => Promise<void>, count: string): Promise<void> => {
      const before = page.url();
      await act();
      await page.waitForURL((url) => url.href !== before);
      await counted(page, count);
      states.push(searchOf(page));
    };
    await page.getByRole('button', { name: 'flag', exact: true }).click();
    await change(() => page.getByLabel('Only true').click(), '175 matches');
    await change(() => page.locator('.grid-name', { hasText: /^n$/ }).click(), '175 matches');
    await change(async () => {
      await page.getByLabel('Search in Lucene').fill('type:VOR');
      await page.keyboard.press('Enter');
    }, '59 matches');
    await change(() => page.getByLabel('Remove the filter on flag').click(), '117 matches');
    await change(async () => {
      await page.getByRole('button', { name: 'Add filter' }).click();
      await page.getByLabel('Field', { exact: true }).selectOption('n');
      await page.getByLabel('Operator').selectOption('at-least');
      await page.getByLabel('Value', { exact: true }).fill('300');
      await page.getByRole('button', { name: 'Apply' }).click();
    }, '17 matches');
    deepEqual(states.at(-1), {
      q: 'type:VOR',
      sort: [{ field: 'n', direction: 'ascending' }],
      filters: [{ field: 'n', operator: 'at-least', values: ['300'] }],
    });
    const found = await cells(page);
    for (const expected of states.slice(0, -1).toReversed()) {
      const before = page.url();
      await page.goBack();
      await page.waitForURL((url) => url.href !== before);
      deepEqual(searchOf(page), expected);
    }
    await counted(page, '350 records');
    // A link shows another person the same, as far as they may see it.
    const other = await openRecords(ben, states.at(-1));
    deepEqual(await cells(other), found);
    await page.context().close();
    await other.context().close();
  });

  test('Back restores what one filtered for, but not what the person before in this browser did', async () => {
    const page = await openRecords(ada, {});
    const filter = async (): Promise<void> => {
      await page.getByLabel('Search in Lucene').fill('secret:Europe');
      await page.keyboard.press('Enter');
      await counted(page, '1 match');
      await page.getByRole('link', { name: 'Datasets' }).click();
      await page.getByRole('heading', { name: 'Datasets' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: 'Datasets' }).waitFor();
    };
    await filter();
    await page.goBack();
    await counted(page, '1 match');
    equal(await page.getByLabel('Search in Lucene').inputValue(), 'secret:Europe');
    await page.getByRole('link', { name: 'Datasets' }).click();
    await page.getByRole('heading', { name: 'Datasets' }).waitFor();
    await signOut(page);
    await signIn(page, ben);
    const visited: string[] = [];
    for (let back = 0; back < 3; back++) {
      await page.goBack();
      await page.locator('header button[aria-haspopup="menu"]').waitFor();
      visited.push(page.url());
      ok(!(await page.content()).includes('Europe'), page.url());
    }
    ok(
      visited.some((url) => url.endsWith(`/app/datasets/${dataset}`)),
      visited.join(' '),
    );
    ok(!visited.some((url) => url.includes('Europe')), visited.join(' '));
    // A link still leads to what it names.
    await page.goto(`${house.server.url}/app/datasets/${dataset}?q=${encodeURIComponent('"type:VOR"')}`);
    await counted(page, '117 matches');
    await page.context().close();
  });

  test('an export has the rows that search, filters and sort show together', async () => {
    const search = { ...byNumber, filters: [{ field: 'n', operator: 'at-most', values: ['6'] }] };
    const numbers = async (person: typeof ada, q = ''): Promise<unknown[]> => {
      const page = await openRecords(person, { ...search, ...(q !== '' && { q }) });
      await page.getByRole('button', { name: 'Export all' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: /^JSON lines/ }).click(),
      ]);
      equal(download.suggestedFilename(), 'Aids.jsonl');
      const text = readFileSync(await download.path(), 'utf8');
      await page.context().close();
      return text
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { n: number }).n);
    };
    deepEqual(await numbers(ada), [0, 1, 2, 3, 4, 5, 6]);
    deepEqual(await numbers(ben), [0, 1, 2, 3, 4, 6]);
    deepEqual(await numbers(ada, 'type:DME'), [2, 5]);
    deepEqual(await numbers(ben, 'type:DME'), [2]);
  });

  test('charts and frequent values are requested after the first rows are painted', async () => {
    const page = await openRecords(ada, {});
    await page.addInitScript(() => {
      const look = (): void => {
        if (document.querySelector('.grid-cell bdi') !== null) performance.mark('rows-painted');
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await page.reload();
    await counted(page, '350 records');
    const requested = await page.waitForFunction(() => {
      const entries = performance.getEntriesByType('resource');
      const startsOf = (call: string): number[] =>
        entries.filter(({ name }) => name.endsWith(call)).map(({ startTime }) => startTime);
      const [profiles, values] = [startsOf('/profiles'), startsOf('/values')];
      const painted = performance.getEntriesByName('rows-painted')[0]?.startTime ?? Infinity;
      return profiles.length > 0 && values.length > 0 && { painted, starts: [...profiles, ...values] };
    });
    const found = await requested.jsonValue();
    ok(found !== false);
    const { painted, starts } = found;
    for (const start of starts) ok(start > painted, `${String(start)} is before ${String(painted)}`);
    await page.context().close();
  });

  test('the bars and values of a column are those that the person sees, and a click on a bar filters', async () => {
    const page = await openRecords(ben);
    await counted(page, '349 records');
    await page.getByRole('button', { name: 'secret', exact: true }).click();
    await page.getByLabel('Only s1').waitFor();
    ok(!(await page.content()).includes('for Europe alone'));
    const chart = page
      .locator('.grid-head', { hasText: /^secret/ })
      .locator('g')
      .first();
    await chart.click();
    await page.getByLabel('Remove the filter on secret').waitFor();
    await counted(page, '88 matches');
    const theirs = await openRecords(ada);
    await theirs.getByRole('button', { name: 'secret', exact: true }).click();
    await theirs.getByLabel('Only for Europe alone').waitFor();
    await page.context().close();
    await theirs.context().close();
  });

  test('a record opens beside the grid, with its label in words, and j and k go to its neighbours', async () => {
    const page = await openRecords(ada);
    await page.getByRole('grid').focus();
    for (let down = 0; down < 5; down++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'Record' });
    await panel.getByText('People who hold EU').waitFor();
    await panel.getByText('for Europe alone').waitFor();
    equal(searchOf(page)['row'], 5);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await panel.getByText('Everyone who may read this dataset').waitFor();
    await page.waitForURL(/row=7/);
    await page.keyboard.press('k');
    await page.waitForURL(/row=6/);
    equal(await page.locator('.grid-row[data-open="true"]').getAttribute('data-row'), '6');
    await panel.getByRole('button', { name: 'JSON' }).click();
    match(await panel.locator('pre').innerText(), /"n": 6,/);
    await panel.getByRole('button', { name: 'Fields' }).click();
    await panel.getByLabel('Only records with this type').click();
    await page.getByLabel('Remove the filter on type').waitFor();
    await page.goBack();
    await panel.waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    equal(searchOf(page)['record'], undefined);
    await page.context().close();
  });

  test('a table says when records that the person sees have changed, and shows them when asked', async () => {
    const page = await openRecords(ben);
    bodyOf(200, await fixture.write(dataset, [{ n: 1000, label: 'EU' }], { labelInfo: labelField }));
    await page.getByLabel('Go to row').fill('150');
    await page.keyboard.press('Enter');
    await page.locator('.grid-row[data-row="149"]').getByText('150', { exact: true }).waitFor();
    equal(
      await page.getByRole('button', { name: /Records changed/ }).count(),
      0,
      'a hidden record was added',
    );
    bodyOf(200, await fixture.write(dataset, [{ n: 1001 }]));
    await page.getByLabel('Go to row').fill('349');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /Records changed/ }).click();
    await counted(page, '350 records');
    await page.context().close();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`axe finds no fault in records, filters and panel in the ${colorScheme} scheme`, async () => {
      for (const width of [1440, 390]) {
        const options = { colorScheme, bypassCSP: true, viewport: { width, height: 844 } };
        const page = await openRecords(ada, byNumber, { ...options, viewport: { width: 1440, height: 844 } });
        await page.setViewportSize(options.viewport);
        await page.getByText(/^s0$/).first().waitFor();
        deepEqual(await accessibilityFaults(page), [], `records ${String(width)}`);
        await page.getByRole('button', { name: 'Add filter' }).click();
        await page.getByLabel('Operator').waitFor();
        deepEqual(await accessibilityFaults(page), [], `filter ${String(width)}`);
        await page.keyboard.press('Escape');
        await page.goto(
          page.url().replace('?', `?row=3&record=${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}&`),
        );
        await page.getByText('There is no such record').waitFor();
        deepEqual(await accessibilityFaults(page), [], `panel ${String(width)}`);
        await page.context().close();
      }
    });
  }

  test('no page breaks its policy, fails in a script or sends a request to another host', () => {
    deepEqual(house.complaints, []);
  });
});
