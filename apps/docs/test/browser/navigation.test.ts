/* Shows: S-nav-failed-load, S-nav-hash, S-nav-top-scroll, S-chunk-loading, S-chunk-failed, S-progress-bar,
   S-prefetch, S-prefetch-off, S-crash-route, K-site-loading-delay, K-site-progress-delay,
   K-site-progress-minimum, K-site-progress-speed, K-site-progress-trickle, K-site-progress-trickle-speed */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';

import { connection, fixturePages, hydrated, withoutPrefetching } from '../fixture-pages.ts';

const site = await fixturePages('behaviour');
const files = '**/assets/js/*.js';
const animation = '[role="status"][aria-label="Loading the page"]';

/** Opens the home page without prefetching its link to /other/. */
async function home(): Promise<Page> {
  const { page } = await site.window();
  await withoutPrefetching(page);
  await site.visit(page, '/');
  return page;
}

/** Delays the files of routes until the returned function is called. */
async function hold(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(files, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Clicks without Playwright's use of page timers, which a test may have stopped. */
function press(page: Page, text: string): Promise<void> {
  return page
    .locator('a, button')
    .filter({ hasText: text })
    .last()
    .evaluate((element) => (element as HTMLElement).click());
}

async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt(Date.now() + 60_000);
}

const bar = (page: Page) => page.locator('#nprogress .bar');

test('a link with a hash scrolls to its element', async () => {
  const { page } = await site.open('/tall/');
  await page.getByText('To the other page, beneath').click();
  await page.waitForURL('**/other/#beneath');
  const top = () => page.locator('#beneath').evaluate((heading) => heading.getBoundingClientRect().top);
  await page.waitForFunction(() => globalThis.scrollY > 2000);
  assert.ok((await top()) >= 0 && (await top()) < 200, `the heading is ${await top()} px from the top`);

  await page.goBack();
  await page.waitForURL('**/tall/');
  await page.evaluate(() => globalThis.scrollTo(0, 0));
  await press(page, 'To the heading');
  await page.waitForFunction(() => globalThis.scrollY > 2000);
});

test('navigation without a hash scrolls to the top', async () => {
  const { page } = await site.open('/tall/');
  const link = page.getByText('To the other page', { exact: true });
  await link.scrollIntoViewIfNeeded();
  assert.ok((await page.evaluate(() => globalThis.scrollY)) > 2000);
  await link.click();
  await page.getByRole('heading', { name: 'Other' }).waitFor();
  assert.equal(await page.evaluate(() => globalThis.scrollY), 0);
});

test('the page is reloaded when a route that is navigated to cannot be loaded', async () => {
  const page = await home();
  await page.evaluate(() => {
    document.body.dataset['before'] = 'yes';
  });
  let refused = 0;
  let reloads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) reloads += 1;
  });
  await page.route(files, (route) => {
    if (reloads > 0) return route.continue();
    refused += 1;
    return route.abort();
  });
  await press(page, 'The other page');
  await page.waitForSelector('body:not([data-before])');
  await hydrated(page);
  assert.ok(refused > 0);
  assert.equal(reloads, 1);
  assert.equal(page.url(), `${site.origin}/other/`);
  await page.getByRole('heading', { name: 'Other' }).waitFor();
});

test('a page that cannot be loaded after navigation shows its error in the window, however far down the reader was', async () => {
  const { page } = await site.window();
  await withoutPrefetching(page);
  await site.visit(page, '/tall/');
  const link = page.getByText('To the other page', { exact: true });
  await link.scrollIntoViewIfNeeded();
  await page.route(files, (route) =>
    /\/(runtime~)?main\./.test(route.request().url()) ? route.continue() : route.abort(),
  );
  const reloaded = page.waitForEvent('load');
  await link.click();
  await reloaded;
  await failureBox(page);
  // Scrolls down, as browsers do when they return to a page.
  await page.evaluate(() => globalThis.scrollTo(0, 100_000));
  const place = await page.getByRole('button', { name: 'Retry' }).boundingBox();
  const { height = 0 } = page.viewportSize() ?? {};
  assert.ok(place !== null && place.y >= 0 && place.y + place.height <= height, JSON.stringify(place));
});

test('the progress bar appears 200 ms after navigation began, and not when the page came sooner', async () => {
  const { page } = await site.window();
  await withoutPrefetching(page);
  await page.clock.install();
  await site.visit(page, '/');
  await stopClock(page);
  const release = await hold(page);
  await press(page, 'The other page');
  await page.clock.runFor(199);
  assert.equal(await bar(page).count(), 0);
  await page.clock.runFor(1);
  assert.equal(await bar(page).count(), 1);
  release();
  await page.getByRole('heading', { name: 'Other' }).waitFor();
  await page.clock.runFor(1000);
  await bar(page).waitFor({ state: 'detached' });

  await page.locator('.navbar__brand').evaluate((brand) => (brand as HTMLElement).click());
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.clock.runFor(5000);
  assert.equal(await bar(page).count(), 0);
});

test('the progress bar begins at 0.08, moves in 200 ms, and trickles by at most 0.02 every 800 ms', async () => {
  const { page } = await site.window();
  await withoutPrefetching(page);
  await page.addInitScript(() => {
    Math.random = () => 1;
  });
  await page.clock.install();
  await site.visit(page, '/');
  await stopClock(page);
  await hold(page);
  await press(page, 'The other page');
  await page.clock.runFor(200);
  const seen = () =>
    bar(page).evaluate(({ style }) => ({
      at: Math.round((100 + Number(/translate3d\((-[\d.]+)%/.exec(style.transform)?.[1])) * 100) / 100,
      transition: style.transition,
    }));
  assert.deepEqual(await seen(), { at: 8, transition: '200ms' });
  await page.clock.runFor(799);
  assert.equal((await seen()).at, 8);
  await page.clock.runFor(1);
  assert.equal((await seen()).at, 10);
  await page.clock.runFor(800);
  assert.equal((await seen()).at, 12);
});

test('a loading animation appears after 200 ms of navigation and disappears when the page is loaded', async () => {
  const { page } = await site.window();
  await withoutPrefetching(page);
  await page.clock.install();
  await site.visit(page, '/');
  await stopClock(page);
  const release = await hold(page);
  await press(page, 'The other page');
  await page.clock.runFor(199);
  assert.equal(await page.locator(animation).count(), 0);
  await page.clock.runFor(1);
  await page.locator(animation).waitFor();
  release();
  await page.getByRole('heading', { name: 'Other' }).waitFor();
  await page.locator(animation).waitFor({ state: 'detached' });
});

test('a route whose files are not there yet shows a loading animation after 200 ms, and then itself', async () => {
  const { page } = await site.window();
  await withoutPrefetching(page);
  await page.clock.install();
  await site.visit(page, '/late/');
  await stopClock(page);
  const release = await hold(page);
  await press(page, 'Show');
  await page.getByRole('button', { name: 'Show' }).waitFor({ state: 'detached' });
  await page.clock.runFor(199);
  assert.equal(await page.locator(animation).count(), 0);
  await page.clock.runFor(1);
  await page.locator(animation).waitFor();
  release();
  await page.getByRole('heading', { name: 'Other' }).waitFor();
  assert.equal(await page.locator(animation).count(), 0);
});

test('a route that cannot be loaded shows a red box with the text of the error and Retry, which loads it', async () => {
  const { page } = await site.window();
  await withoutPrefetching(page);
  await site.visit(page, '/late/');
  await page.route(files, (route) => route.abort());
  await page.getByRole('button', { name: 'Show' }).click();
  await failureBox(page);
  await page.unroute(files);
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('heading', { name: 'Other' }).waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
});

test('a page whose own files fail says so in a red box with Retry and stays readable', async () => {
  const { page } = await site.window();
  await page.route(files, (route) =>
    /\/(runtime~)?main\./.test(route.request().url()) ? route.continue() : route.abort(),
  );
  await page.goto(`${site.origin}/other/`);
  await failureBox(page);
  await page.getByRole('heading', { name: 'Other' }).waitFor();
  await page.unroute(files);
  await page.getByRole('button', { name: 'Retry' }).click();
  await hydrated(page);
  assert.equal(await page.getByRole('alert').count(), 0);
});

async function failureBox(page: Page): Promise<void> {
  const box = page.getByRole('alert');
  await box.waitFor();
  assert.match(await box.innerText(), /ChunkLoadError: Loading (CSS )?chunk .+ failed/);
  assert.equal(await box.getByRole('button', { name: 'Retry' }).count(), 1);
  const colour = await box.evaluate((element) => getComputedStyle(element).backgroundColor);
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(Number);
  assert.ok(red > 150 && green < 80 && blue < 80, `the box is ${colour}`);
}

const prefetched = (page: Page) =>
  page
    .locator('head link[rel="prefetch"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));

/** Resolves after all intersection observers were notified. */
const linksSeen = (page: Page) =>
  page.getByText('The other page').evaluate(
    (link) =>
      new Promise<void>((resolve) => {
        new IntersectionObserver(() => setTimeout(resolve, 0)).observe(link);
      }),
  );

test('pages whose links are on the screen are prefetched', async () => {
  const { page } = await site.window();
  await connection(page, { effectiveType: '4g', saveData: false });
  await site.visit(page, '/');
  await linksSeen(page);
  const before = await prefetched(page);
  assert.ok(before.length > 0);
  await page.route(files, (route) => route.abort());
  const asked = page.waitForRequest(files, { timeout: 0 }).catch(() => undefined);
  await page.getByText('The other page').hover();
  assert.ok((await asked)?.url().endsWith('.js'), 'the page under the pointer is loaded');
});

describe('nothing is prefetched on a slow connection or in data-saver mode', () => {
  for (const told of [
    { effectiveType: '2g', saveData: false },
    { effectiveType: 'slow-2g', saveData: false },
    { effectiveType: '4g', saveData: true },
  ]) {
    const name = told.saveData ? 'in data-saver mode' : `on a connection of ${told.effectiveType}`;
    test(name, async () => {
      const { page } = await site.window();
      await connection(page, told);
      await site.visit(page, '/');
      const asked: string[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('.js')) asked.push(request.url());
      });
      await linksSeen(page);
      await page.getByText('The other page').hover();
      await linksSeen(page);
      assert.deepEqual(await prefetched(page), []);
      assert.deepEqual(asked, []);
    });
  }
});
