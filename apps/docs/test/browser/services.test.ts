/* Shows: S-chat-widget, S-search-config, S-search-service, S-search-links-external, S-crash-search */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { hydrated } from '../fixture-pages.ts';
import { fixtureSite, page as openPage, serveSite } from '../site.ts';

const server = await serveSite(await fixtureSite('services'));
const configured = 'https://docs.example.org';

interface Window {
  readonly page: Page;
  readonly foreign: readonly string[];
}

/**
 * Opens a window in which the site is served at an address. `answer` returns the responses of that host that are not
 * files of the site.
 */
async function windowAt(
  site: string,
  answer?: (path: string) => { status: number; body?: string; contentType?: string } | undefined,
): Promise<Window> {
  const opened = await openPage({ origin: site });
  await opened.page.route(`${site}/**`, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    const own = answer?.(pathname);
    if (own !== undefined) return route.fulfill(own);
    return route.fulfill({ response: await route.fetch({ url: `${server.origin}${pathname}${search}` }) });
  });
  return opened;
}

interface Asked {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly request: Record<string, unknown>;
}

const hit = (url: string, title: string) => ({
  objectID: url,
  url,
  type: 'lvl2',
  content: null,
  hierarchy: { lvl0: 'Datasets', lvl1: 'Labels &amp; more', lvl2: title, lvl3: null },
  _highlightResult: {
    hierarchy: { lvl2: { value: `${title} <mark>labels</mark> &lt;b&gt;`, matchLevel: 'full' } },
  },
  _snippetResult: { content: { value: 'About <mark>labels</mark>…', matchLevel: 'full' } },
});

/** A stub of the hosted service: records requests, and returns two hits. */
async function service(page: Page, asked: Asked[] = []): Promise<Asked[]> {
  await page.route(/^https:\/\/app1[^/]*\.algolia(net\.com|\.net)\//i, async (route: Route) => {
    const request = route.request();
    const { requests } = JSON.parse(request.postData() ?? '{}') as { requests: Record<string, unknown>[] };
    asked.push({
      path: new URL(request.url()).pathname,
      headers: Object.fromEntries(new URL(request.url()).searchParams),
      request: requests[0] ?? {},
    });
    const hits = [
      hit(`${configured}/v4/intro/?a=1#part`, 'Ours'),
      hit('https://elsewhere.example.com/v4/x/#y', 'Theirs'),
    ];
    await route.fulfill({
      headers: { 'access-control-allow-origin': '*' },
      json: { results: [{ hits, nbHits: 2, page: 0, nbPages: 1, hitsPerPage: 20, query: 'labels' }] },
    });
  });
  return asked;
}

test('the configured service is asked, for its index documentation, within the language and version that is read', async () => {
  const { page } = await windowAt(configured);
  const asked = await service(page);
  await page.goto(`${configured}/docs/intro/`);
  await hydrated(page);
  assert.equal(asked.length, 0);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('labels');
  await page.getByRole('option').first().waitFor();
  const [first] = asked;
  assert.ok(first !== undefined);
  assert.equal(first.path, '/1/indexes/*/queries');
  assert.equal(first.request['indexName'], 'documentation');
  assert.equal(first.request['query'], 'labels');
  assert.deepEqual(first.request['facetFilters'], [
    'language:en',
    ['docusaurus_tag:default', 'docusaurus_tag:docs-default-current'],
  ]);
  await page.getByText('Search by Algolia').waitFor();
});

test('results of the configured service lead to this site by path and hash, replaced as configured, and elsewhere unchanged', async () => {
  const { page } = await windowAt(configured);
  await service(page);
  await page.goto(`${configured}/search/?q=labels`);
  await page.locator('main ol li').nth(1).waitFor();
  const links = page.locator('main ol h2 a');
  assert.deepEqual(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href'))), [
    '/docs/intro/?a=1#part',
    'https://elsewhere.example.com/v4/x/#y',
  ]);
  assert.equal(await links.first().textContent(), 'Ours labels <b>');
  assert.equal(await links.first().locator('mark').textContent(), 'labels');
  assert.match((await page.locator('main ol li').first().textContent()) ?? '', /Datasets › Labels & more/);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('labels');
  await page.getByRole('option').first().click();
  await page.waitForURL(`${configured}/docs/intro/?a=1#part`);
});

test('when the configured service does not answer, "Unable to fetch results" is said with a hint', async () => {
  const { page } = await windowAt(configured);
  await page.goto(`${configured}/docs/intro/`);
  await hydrated(page);
  await page.keyboard.press('/');
  await page.getByRole('combobox').fill('labels');
  await page.getByRole('alert').getByText('Unable to fetch results').waitFor();
  await page.getByRole('alert').getByText('You might want to check your network connection.').waitFor();
});

/** Whether the widget was loaded, after everything else has been loaded. */
async function hasChat(window: Window, site: string): Promise<boolean> {
  const { page, foreign } = window;
  const decided = page.waitForResponse(`${site}/health`).catch(() => undefined);
  await page.goto(`${site}/docs/intro/`, { waitUntil: 'load' });
  if (site === configured) await decided;
  await page.evaluate(() => new Promise((done) => requestIdleCallback(() => setTimeout(done, 300))));
  const scripts = await page.locator('script#support-chat').count();
  assert.equal(foreign.includes('https://chat.example.net/widget.js'), scripts === 1);
  return scripts === 1;
}

test('the support chat is loaded with its key when one is configured, after the page', async () => {
  const window = await windowAt(configured);
  assert.equal(await hasChat(window, configured), true);
  const script = window.page.locator('script#support-chat');
  assert.equal(await script.getAttribute('src'), 'https://chat.example.net/widget.js');
  assert.equal(await script.getAttribute('data-key'), 'chat-key-1');
});

test('the support chat is never loaded on an origin that serves the application, nor where that cannot be told', async () => {
  const json = { status: 200, contentType: 'application/json', body: '{"status":"ok"}' };
  const worlds: ((path: string) => { status: number; body?: string; contentType?: string } | undefined)[] = [
    (path) => (path === '/health' ? json : undefined),
    (path) => (path === '/app/' ? { status: 200, contentType: 'text/html', body: '<p>app' } : undefined),
    (path) => (path === '/health' ? { status: 403, body: 'no' } : undefined),
    (path) => (path === '/app/' ? { status: 503, body: 'later' } : undefined),
  ];
  for (const answer of worlds) {
    assert.equal(await hasChat(await windowAt(configured, answer), configured), false);
  }
});

test('the support chat is not loaded at another origin than the site was built for', async () => {
  const elsewhere = 'https://app.example.org';
  assert.equal(await hasChat(await windowAt(elsewhere), elsewhere), false);
});
