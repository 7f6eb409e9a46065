/* Shows: S-route-/search/, S-route-/search/-q, S-search-modal-ctrl-k, S-search-modal-slash, S-search-service,
   S-crash-search */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { hydrated, withoutPrefetching } from '../fixture-pages.ts';
import { builtSite, page as openPage, type PageOptions, serveSite, type TestPage } from '../site.ts';
import { inWords, looks, violations, wear } from './looks.ts';

const folder = await builtSite();
const { origin } = await serveSite(folder);

/** Opens a window at the path. It does not prefetch links, which would take a third of its time. */
async function open(path: string, options: Omit<PageOptions, 'origin'> = {}): Promise<TestPage> {
  const opened = await openPage({ origin, ...options });
  await withoutPrefetching(opened.page);
  await opened.page.goto(origin + path);
  await hydrated(opened.page);
  return opened;
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Search the documentation' });
const input = (page: Page) => dialog(page).getByRole('combobox', { name: 'Search' });
const options = (page: Page) => dialog(page).getByRole('option');

async function searchFor(page: Page, query: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await input(page).fill(query);
  await options(page).first().waitFor();
}

const indexRequests = (page: Page): string[] => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/search-index.json')) asked.push(request.url());
  });
  return asked;
};

test('Ctrl+K and Cmd+K open the search window, and close it again', async () => {
  const { page } = await open('/docs/intro/');
  for (const key of ['Control+k', 'Meta+k']) {
    await page.keyboard.press(key);
    await input(page).waitFor();
    assert.equal(await input(page).evaluate((element) => element === document.activeElement), true);
    await page.keyboard.press(key);
    await dialog(page).waitFor({ state: 'detached' });
  }
});

test('the slash key opens the search window, and in a field it is typed', async () => {
  const { page } = await open('/search/');
  await page.getByRole('searchbox', { name: 'Search' }).fill('');
  await page.keyboard.type('a/b');
  assert.equal(await page.getByRole('searchbox', { name: 'Search' }).inputValue(), 'a/b');
  assert.equal(await dialog(page).count(), 0);
  await page.getByRole('searchbox', { name: 'Search' }).evaluate((element) => element.blur());
  await page.keyboard.press('/');
  await input(page).waitFor();
  assert.equal(await input(page).inputValue(), '');
  await page.keyboard.type('/');
  assert.equal(await input(page).inputValue(), '/');
});

test('the search window closes on Escape, its button and a click outside, and returns the focus', async () => {
  const { page } = await open('/docs/intro/');
  const button = page.locator('.DocSearch-Button');
  const isFocused = () => button.evaluate((element) => element === document.activeElement);
  const ways = [
    () => page.keyboard.press('Escape'),
    () => dialog(page).getByRole('button', { name: 'Close' }).click(),
    () => page.mouse.click(5, 500),
  ];
  for (const close of ways) {
    await button.click();
    await input(page).fill('dataset');
    await close();
    await dialog(page).waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.classList.contains('DocSearch-Button'));
    assert.equal(await isFocused(), true);
  }
});

test('the focus stays within the search window', async () => {
  const { page } = await open('/docs/intro/');
  await searchFor(page, 'dataset');
  for (let press = 0; press < 8; press++) {
    await page.keyboard.press('Tab');
    const outside = await page.evaluate(
      () => document.activeElement !== document.body && document.activeElement?.closest('dialog') === null,
    );
    assert.equal(outside, false);
  }
});

test('results are chosen with the arrow keys and opened with Enter, and the page scrolls to the heading', async () => {
  const { page } = await open('/');
  await searchFor(page, 'dataset');
  const chosen = () => options(page).and(page.locator('[aria-selected="true"]'));
  const first = await chosen().getAttribute('href');
  await page.keyboard.press('ArrowDown');
  const second = await chosen().getAttribute('href');
  assert.notEqual(first, second);
  assert.equal(await input(page).getAttribute('aria-activedescendant'), await chosen().getAttribute('id'));
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  assert.equal(await chosen().getAttribute('href'), await options(page).last().getAttribute('href'));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await dialog(page).waitFor({ state: 'detached' });
  await page.waitForURL(`${origin}${first}`);
});

test('results are grouped by page, with the matches highlighted', async () => {
  const { page } = await open('/');
  await searchFor(page, 'lucene');
  const groups = await dialog(page).getByRole('group').all();
  assert.ok(groups.length > 0);
  for (const group of groups) {
    const urls = await group
      .getByRole('option')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')?.split('#')[0]));
    assert.equal(new Set(urls).size, 1, urls.join(' '));
  }
  assert.match((await dialog(page).locator('mark').first().textContent()) ?? '', /lucene/i);
  assert.match((await dialog(page).getByRole('status').textContent()) ?? '', /^\d+ results? for lucene$/);
});

test('the index is loaded when the search button has the focus or the window opens, never with the page', async () => {
  const byFocus = await openPage({ origin });
  const asked = indexRequests(byFocus.page);
  await byFocus.page.goto(`${origin}/docs/intro/`, { waitUntil: 'networkidle' });
  await hydrated(byFocus.page);
  assert.deepEqual(asked, []);
  await byFocus.page.locator('.DocSearch-Button').focus();
  await byFocus.page.waitForResponse(/search-index\.json$/);
  await byFocus.page.keyboard.press('Control+k');
  await input(byFocus.page).fill('dataset');
  await options(byFocus.page).first().waitFor();
  assert.equal(asked.length, 1);
});

test('a search sends requests only to the site itself, and names no other service', async () => {
  const { page, foreign, complaints } = await open('/docs/intro/');
  await searchFor(page, 'dataset');
  await page.goto(`${origin}/search/?q=dataset`);
  await page.locator('main ol li').first().waitFor();
  assert.deepEqual(foreign, []);
  assert.deepEqual(complaints, []);
  assert.doesNotMatch((await page.textContent('body')) ?? '', /algolia/i);
});

test('when the index cannot be loaded, window and page say "Unable to fetch results" with a hint, and try again', async () => {
  const { page } = await open('/docs/intro/');
  await page.route('**/search-index.json', (route) => route.abort());
  await page.keyboard.press('Control+k');
  await input(page).fill('dataset');
  const alert = page.getByRole('alert');
  await alert.getByText('Unable to fetch results').waitFor();
  await alert.getByText('You might want to check your network connection.').waitFor();
  await page.goto(`${origin}/search/?q=dataset`);
  await alert.getByText('Unable to fetch results').waitFor();
  await alert.getByText('You might want to check your network connection.').waitFor();
  await page.unroute('**/search-index.json');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await page.locator('main ol li').first().waitFor();
  assert.equal(await alert.count(), 0);
});

test('an index that the host answers with an error is a failure, not an empty result', async () => {
  const { page } = await open('/search/');
  await page.route('**/search-index.json', (route) => route.fulfill({ status: 503, body: '{}' }));
  await page.getByRole('searchbox', { name: 'Search' }).fill('dataset');
  await page.getByRole('alert').getByText('Unable to fetch results').waitFor();
});

test('a search without results says so, and how to go on', async () => {
  const { page } = await open('/docs/intro/');
  await page.keyboard.press('Control+k');
  await input(page).fill('zzqqxxyy');
  await dialog(page).getByText('No results for “zzqqxxyy”').waitFor();
  await dialog(page)
    .getByText(/Check the spelling/)
    .waitFor();
  assert.equal(await options(page).count(), 0);
});

test('a search query is shown as text, never as HTML', async () => {
  const { page, complaints } = await open('/docs/intro/');
  await page.keyboard.press('Control+k');
  const typed = '<img src=x onerror=alert(1)> zzqqxx';
  await input(page).fill(typed);
  await dialog(page).getByText(`No results for “${typed}”`).or(options(page).first()).first().waitFor();
  await page.goto(`${origin}/search/?q=${encodeURIComponent(typed)}`);
  await page.getByRole('heading', { name: typed }).waitFor();
  assert.equal(await page.locator('img[src="x"]').count(), 0);
  assert.deepEqual(complaints, []);
});

test('the search page searches for q, keeps the query in its URL, and restores it on Back', async () => {
  const { page } = await open('/search/?q=upload');
  await page.getByRole('heading', { level: 1, name: 'Search results for “upload”' }).waitFor();
  await page.locator('main ol li').first().waitFor();
  assert.match((await page.locator('main [role=status]').textContent()) ?? '', /^\d+ results? for “upload”/);
  assert.match(await page.title(), /upload/);
  await page.getByRole('searchbox', { name: 'Search' }).fill('lucene wildcard');
  await page.waitForURL(/\?q=lucene(\+|%20)wildcard$/);
  await page
    .locator('main ol mark', { hasText: /lucene|wildcard/i })
    .first()
    .waitFor();
  await page.locator('main ol a').first().click();
  await page.waitForURL((url) => url.pathname !== '/search/');
  await page.goBack();
  await page.waitForURL(/\/search\/\?q=lucene/);
  assert.equal(await page.getByRole('searchbox', { name: 'Search' }).inputValue(), 'lucene wildcard');
  await page.locator('main ol li').first().waitFor();
});

test('the search page without q says what is searched, and shows more results when asked', async () => {
  const { page } = await open('/search/');
  await page.getByText('Searches the pages of this documentation and the calls of the API.').waitFor();
  await page.getByRole('searchbox', { name: 'Search' }).fill('dataset');
  await page.locator('main ol li').nth(14).waitFor();
  assert.equal(await page.locator('main ol li').count(), 15);
  await page.getByRole('button', { name: 'Show more results' }).click();
  await page.locator('main ol li').nth(20).waitFor();
});

test('the window leads to the search page with all results', async () => {
  const { page } = await open('/docs/intro/');
  await searchFor(page, 'delete records');
  await dialog(page)
    .getByRole('link', { name: /^See all \d+ results$/ })
    .click();
  await page.waitForURL(/\/search\/\?q=delete%20records$/);
  await page.locator('main ol li').first().waitFor();
});

test('recently opened results are offered the next time, until the reader removes them', async () => {
  const { page } = await open('/docs/intro/');
  await searchFor(page, 'upload');
  const title = await options(page).first().getAttribute('href');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${origin}${title}`);
  await page.keyboard.press('Control+k');
  await dialog(page).getByText('Recent', { exact: true }).waitFor();
  assert.equal(await options(page).first().getAttribute('href'), title);
  await dialog(page).getByRole('button', { name: 'Forget recent results' }).click();
  assert.equal(await options(page).count(), 0);
});

test("the search works if the browser stores nothing, or if the stored value is not the site's", async () => {
  const { page, complaints } = await openPage({ origin });
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'localStorage', {
      get: () => {
        throw new DOMException('denied', 'SecurityError');
      },
    });
  });
  await page.goto(`${origin}/docs/intro/`);
  await hydrated(page);
  await searchFor(page, 'upload');
  await page.keyboard.press('Enter');
  await dialog(page).waitFor({ state: 'detached' });
  assert.ok(
    complaints.every((text) => text.includes('browser storage is not available')),
    complaints.join('\n'),
  );

  const other = await open('/docs/intro/');
  await other.page.evaluate(() => localStorage.setItem('docs-search-recent', '{"a":[1]}'));
  await searchFor(other.page, 'upload');
  assert.deepEqual(other.complaints, []);
});

test('the search window and the search page are accessible, in both modes and widths', async () => {
  const { page } = await open('/docs/intro/');
  const faults: string[] = [];
  const inAllLooks = async (state: string, part: string): Promise<void> => {
    for (const look of looks) {
      await wear(page, look);
      faults.push(...(await violations(page, part)).map((fault) => `${state}, ${inWords(look)}: ${fault}`));
      const box = await page.locator(part).boundingBox();
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= look.width, `${state}, ${inWords(look)}`);
    }
  };
  await page.keyboard.press('Control+k');
  await input(page).waitFor();
  await inAllLooks('window', 'dialog');
  await input(page).fill('dataset permissions');
  await options(page).first().waitFor();
  await inAllLooks('results', 'dialog');
  await input(page).fill('zzqqxxyy');
  await dialog(page)
    .getByText(/^No results for “/)
    .waitFor();
  await inAllLooks('no results', 'dialog');
  await page.goto(`${origin}/search/?q=dataset`);
  await page.locator('main ol li').first().waitFor();
  await inAllLooks('page', 'html');
  assert.deepEqual(faults, []);
});
