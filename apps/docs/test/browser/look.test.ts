/* Shows: S-docs-versioned, S-lazy-chunks, K-site-font, K-site-font-size, K-site-spacing, K-site-radius,
   K-site-version */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { hydrated, withoutPrefetching } from '../fixture-pages.ts';
import { pageTypes } from '../page-types.ts';
import { builtSite, page, serveSite } from '../site.ts';
import { inWords, looks, violations, wear } from './looks.ts';

const folder = await builtSite();
const { origin } = await serveSite(folder);

const style = (tab: Page, selector: string, property: string): Promise<string> =>
  tab
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

interface Wanted {
  readonly width?: number;
  readonly mode?: string;
  readonly scripts?: boolean;
  /** Whether to prefetch links, which takes a third of the time of a window. */
  readonly prefetches?: boolean;
}

async function open(path: string, options: Wanted = {}) {
  const { width = 1440, mode, scripts = true, prefetches = false } = options;
  const window = await page({ origin, viewport: { width, height: 900 }, javaScriptEnabled: scripts });
  if (!prefetches) await withoutPrefetching(window.page);
  if (mode !== undefined) {
    await window.page.addInitScript((choice) => localStorage.setItem('theme', choice), mode);
  }
  await window.page.goto(origin + path);
  if (scripts) await hydrated(window.page);
  return window;
}

/** The measurements of one kind of page in all modes and widths. */
interface Seen {
  readonly name: string;
  /** Requested addresses of other hosts. */
  readonly foreign: readonly string[];
  readonly asked: readonly string[];
  /** The width of the whole page in a window of 390 px. */
  readonly narrowWidth: number;
  /** The violations that axe finds, by mode and width. */
  readonly faults: ReadonlyMap<string, readonly string[]>;
}

async function seeKinds(): Promise<Seen[]> {
  const { page: tab, foreign } = await page({ origin });
  const seen: Seen[] = [];
  let known = 0;
  for (const [name, path] of pageTypes) {
    await tab.goto(origin + path);
    await hydrated(tab);
    const asked = await tab.evaluate(() =>
      performance.getEntriesByType('resource').map((entry) => entry.name),
    );
    const faults = new Map<string, string[]>();
    let narrowWidth = 0;
    for (const look of looks) {
      await wear(tab, look);
      faults.set(inWords(look), await violations(tab));
      if (look.width === 390) narrowWidth = await tab.evaluate(() => document.documentElement.scrollWidth);
    }
    seen.push({ name, foreign: foreign.slice(known), asked, narrowWidth, faults });
    known = foreign.length;
  }
  await tab.context().close();
  return seen;
}

let kinds: Promise<Seen[]> | undefined;
/** Every kind of page, opened once for all tests. */
const everyKind = (): Promise<Seen[]> => (kinds ??= seeKinds());

describe('accessibility', () => {
  for (const look of looks) {
    test(`axe finds nothing wrong with any kind of page, ${inWords(look)}`, async () => {
      const all = (await everyKind()).flatMap(({ name, faults }) =>
        (faults.get(inWords(look)) ?? ['not looked at']).map((fault) => `${name}: ${fault}`),
      );
      assert.deepEqual(all, []);
    });
  }

  test('sidebar links have enough contrast in dark mode', async () => {
    const { page: tab } = await open('/docs/quickstart/sign-up/', { mode: 'dark' });
    assert.equal(await style(tab, '.theme-doc-sidebar-container', 'background-color'), 'rgb(15, 19, 21)');
    assert.equal(
      await style(tab, '.menu__list .menu__list .menu__link:not(.menu__link--active)', 'color'),
      'rgb(174, 184, 190)',
    );
  });

  test('the focused element has a ring', async () => {
    const { page: tab } = await open('/');
    await tab.keyboard.press('Tab');
    await tab.keyboard.press('Tab');
    const ring = await tab.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outline);
    assert.equal(ring, 'rgb(11, 100, 119) solid 2px');
  });
});

describe('measures of the site', () => {
  test('the base of all text is Roboto in 14 px', async () => {
    const { page: tab } = await open('/docs/intro/');
    assert.match(await style(tab, 'body', 'font-family'), /^Roboto,/);
    assert.equal(await style(tab, 'html', 'font-size'), '14px');
    assert.equal(await style(tab, '.markdown p', 'font-size'), '14px');
    await tab.waitForFunction(() =>
      [...document.fonts].some(
        ({ family, status }) => family.replaceAll('"', '') === 'Roboto' && status === 'loaded',
      ),
    );
  });

  test('the spacing unit is 8 px, and corners are rounded by 4 px', async () => {
    const { page: tab } = await open('/docs/quickstart/sign-up/');
    const measure = (name: string): Promise<string> =>
      tab.evaluate((property) => getComputedStyle(document.documentElement).getPropertyValue(property), name);
    assert.equal(await measure('--rd-space'), '8px');
    assert.equal(await measure('--ifm-global-radius'), '4px');
    assert.equal(await style(tab, '.markdown .theme-code-block', 'border-radius'), '4px');
  });

  test('the sidebar is 300 px wide, on desktop and as an overlay', async () => {
    const { page: tab } = await open('/docs/intro/');
    assert.equal(await style(tab, '.theme-doc-sidebar-container', 'width'), '300px');
    await tab.setViewportSize({ width: 390, height: 844 });
    await tab.getByRole('button', { name: 'Toggle navigation bar' }).click();
    await tab.locator('.navbar-sidebar').waitFor();
    assert.equal(await style(tab, '.navbar-sidebar', 'width'), '300px');
  });

  test('the chrome of a desktop begins above 996 px', async () => {
    const { page: tab } = await open('/docs/intro/', { width: 997 });
    assert.ok(await tab.locator('.theme-doc-sidebar-container').isVisible());
    await tab.setViewportSize({ width: 996, height: 844 });
    await tab.locator('.theme-doc-sidebar-container').waitFor({ state: 'hidden' });
  });

  test('no kind of page scrolls sideways in a narrow window', async () => {
    for (const { name, narrowWidth } of await everyKind()) {
      assert.ok(narrowWidth > 0 && narrowWidth <= 390, `${name} is ${narrowWidth} px wide`);
    }
  });

  test('the site shows its version, its copyright of 2025 and its contents from level 2 to 3', async () => {
    const { page: tab } = await open('/docs/quickstart/sign-up/');
    await tab.locator('.navbar').getByText('4.176.0').waitFor();
    assert.match(await tab.locator('.footer__copyright').innerText(), /Copyright © 2025/);
    const headings = await tab.locator('.markdown :is(h2, h3)').count();
    assert.ok(headings > 2);
    assert.equal(await tab.locator('.table-of-contents__link').count(), headings);
  });

  test('the bar offers documentation and API at the left, and sign-up and the project at the right', async () => {
    const { page: tab } = await open('/');
    const [left, right] = await Promise.all(
      ['.navbar__items:not(.navbar__items--right)', '.navbar__items--right'].map((group) =>
        tab.locator(`${group} > .navbar__link`).allInnerTexts(),
      ),
    );
    assert.deepEqual(left, ['Documentation', 'API']);
    assert.deepEqual(right, ['4.176.0', 'Sign Up', 'Project']);
    assert.ok(
      await tab
        .locator('.navbar__items--right')
        .getByRole('button', { name: /Search/ })
        .isVisible(),
    );
    await tab.locator('.navbar__items--right').getByRole('button', { name: 'English' }).hover();
    const languages = tab.locator('.navbar .dropdown__menu li');
    await languages.filter({ visible: true }).first().waitFor();
    assert.deepEqual(await languages.allInnerTexts(), ['English']);
  });
});

describe('what a page loads', () => {
  test('no page asks a host other than its own', async () => {
    for (const { name, foreign, asked } of await everyKind()) {
      assert.deepEqual(foreign, [], name);
      assert.ok(asked.length > 0);
      assert.deepEqual(
        asked.filter((address) => !address.startsWith(`${origin}/`)),
        [],
        name,
      );
    }
  });

  test('the scripts of a doc page are less than 205 KB compressed', async () => {
    const { page: tab } = await open('/docs/reference/sql/', { prefetches: true });
    const scripts = await tab.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter((entry) => (entry as PerformanceResourceTiming).initiatorType === 'script')
        .map((entry) => entry.name),
    );
    assert.ok(scripts.length > 1);
    let packed = 0;
    // Compressed with gzip, for hosts without brotli, which compresses better.
    for (const script of new Set(scripts)) {
      packed += gzipSync(readFileSync(join(folder, new URL(script).pathname))).length;
    }
    assert.ok(packed > 10_000 && packed < 205_000, `${packed} bytes`);
  });

  test('pages and their data are loaded when they are needed', async () => {
    const { page: tab } = await open('/', { prefetches: true });
    const loaded = (): Promise<string[]> =>
      tab.evaluate(() => performance.getEntriesByType('resource').map((entry) => entry.name));
    const first = new Set(await loaded());
    await tab.locator('.footer').getByRole('link', { name: 'Error codes' }).click();
    await tab.getByRole('heading', { level: 1, name: /error codes/i }).waitFor();
    const later = (await loaded()).filter((name) => !first.has(name) && name.endsWith('.js'));
    assert.ok(later.length > 0);
  });

  test('without scripts a page has its text, its code and the links of its sidebar', async () => {
    const { page: tab } = await open('/docs/quickstart/sign-up/', { scripts: false });
    assert.ok(await tab.getByRole('heading', { level: 1, name: 'Sign up' }).isVisible());
    assert.ok(await tab.locator('.markdown p').first().isVisible());
    assert.ok(await tab.locator('.markdown pre code').first().isVisible());
    const link = tab.locator('.theme-doc-sidebar-container').getByRole('link', { name: 'Sign in' });
    assert.ok(await link.isVisible());
    await link.click();
    await tab.waitForURL(`${origin}/docs/quickstart/sign-in/`);
  });

  test('a reader of the dark mode sees no light page before its scripts have come', async () => {
    const window = await page({ origin });
    await window.page.addInitScript(() => localStorage.setItem('theme', 'dark'));
    await window.page.route('**/*.js', (route) => route.abort());
    await window.page.goto(`${origin}/docs/intro/`, { waitUntil: 'load' });
    assert.equal(await style(window.page, 'html', 'background-color'), 'rgb(22, 27, 30)');
    assert.equal(await style(window.page, 'body', 'color'), 'rgb(232, 236, 238)');
  });
});

describe('addresses', () => {
  for (const spelt of ['/docs/intro.html', '/docs/intro/index', '/docs/intro/index.html']) {
    test(`${spelt} becomes the plain path of its page in the browser`, async () => {
      const { page: tab } = await page({ origin });
      await tab.goto(`${origin}${spelt}?a=1#top`);
      await tab.waitForURL(`${origin}/docs/intro/?a=1#top`);
      await tab.getByRole('heading', { level: 1, name: 'Introduction' }).waitFor();
    });
  }

  test('the not-found page names the requested path and links to other pages', async () => {
    const { page: tab } = await open('/docs/datasets/abac-labels/');
    const main = tab.locator('main');
    assert.equal(await tab.title(), 'Page Not Found | Redoubt');
    await main.getByText('/docs/datasets/abac-labels/').waitFor();
    await main.getByRole('link', { name: /abac labels/ }).click();
    await tab.waitForURL((url) => url.pathname === '/search/');
    assert.equal(new URL(tab.url()).searchParams.get('q'), 'abac labels');
  });
});

test('on paper a page is its text in black on white, without the chrome, and says where its links lead', async () => {
  const { page: tab } = await open('/docs/quickstart/sign-up/', { mode: 'dark' });
  await tab.emulateMedia({ media: 'print' });
  const text = await tab.locator('.markdown').evaluate((element) => {
    const { left, width } = element.getBoundingClientRect();
    return { left, width, paper: document.documentElement.clientWidth };
  });
  assert.ok(text.left >= 0 && text.left + text.width <= text.paper, JSON.stringify(text));
  for (const part of [
    '.navbar',
    '.footer',
    '.theme-doc-sidebar-container',
    '.table-of-contents',
    '.pagination-nav',
  ]) {
    assert.equal(await tab.locator(part).first().isVisible(), false, part);
  }
  assert.ok(await tab.locator('.markdown').isVisible());
  const after = await tab
    .locator('.markdown a[href^="http"]')
    .first()
    .evaluate((link) => getComputedStyle(link, '::after').content);
  assert.match(after, /http/);
});
