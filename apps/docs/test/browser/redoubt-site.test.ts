/* Shows: S-nav-top, S-sidebar-width, S-theme-toggle, S-locale-dropdown, S-toc-levels, S-theme-default,
   K-site-toc */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';

import { hydrated, stored, withoutPrefetching } from '../fixture-pages.ts';
import { builtSite, page as newPage, serveSite } from '../site.ts';

const { origin } = await serveSite(await builtSite());

async function open(path: string, options: Partial<Parameters<typeof newPage>[0]> = {}): Promise<Page> {
  const { page } = await newPage({ origin, ...options });
  await withoutPrefetching(page);
  await page.goto(origin + path);
  await hydrated(page);
  return page;
}

test('the top navigation offers Documentation, API, Sign Up and the parent project', async () => {
  const page = await open('/');
  const navbar = page.locator('nav.navbar');
  const target = (name: string) => navbar.getByRole('link', { name, exact: true }).getAttribute('href');
  assert.match((await target('Documentation')) ?? '', /^\/docs\//);
  assert.equal(await target('API'), '/api/');
  assert.equal(await target('Sign Up'), '/docs/quickstart/sign-up/');
  assert.equal(await target('Project'), '/markdown-page/');
  assert.equal(await navbar.getByRole('link', { name: 'Blog' }).count(), 0);
});

test('the toggle switches between light and dark, and readers begin with light whatever their system says', async () => {
  const page = await open('/', { colorScheme: 'dark' });
  const mode = () => page.locator('html').getAttribute('data-theme');
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const toggle = page.getByRole('button', { name: /^Switch between dark and light mode/ });
  assert.equal(await mode(), 'light');
  const light = await background();
  await toggle.click();
  await page.locator('html[data-theme="dark"]').waitFor({ state: 'attached' });
  assert.notEqual(await background(), light);
  assert.equal(await stored(page, 'theme'), 'dark');
  await toggle.click();
  await page.locator('html[data-theme="light"]').waitFor({ state: 'attached' });
  assert.equal(await background(), light);
  assert.equal(await stored(page, 'theme'), 'light');
});

test('the menu of languages has English alone', async () => {
  const page = await open('/');
  const menu = page.locator('.navbar .dropdown').filter({ hasText: 'English' });
  await menu.hover();
  await menu.getByRole('link', { name: 'English' }).waitFor();
  assert.deepEqual(await menu.locator('.dropdown__menu a').allInnerTexts(), ['English']);
});

test('the sidebar is 300 px wide', async () => {
  const page = await open('/docs/intro/');
  assert.equal((await page.locator('aside.theme-doc-sidebar-container').boundingBox())?.width, 300);
});

test('the table of contents lists the headings of levels 2 and 3', async () => {
  const page = await open('/docs/getting-started/what-is-zero-trust/');
  const headings = (selector: string) =>
    page
      .locator(selector)
      .evaluateAll((all) => all.map((one) => `${one.id || one.getAttribute('href')?.slice(1)}`));
  const contents = await headings('.table-of-contents a');
  assert.ok(contents.length > 2);
  assert.deepEqual(contents, await headings('article :is(h2, h3)[id]'));
});

test('the Redoubt site loads, fails and prints like the fixtures', async () => {
  const page = await open('/', { colorScheme: 'dark' });
  await page.emulateMedia({ media: 'print' });
  await page.locator('html[data-theme="dark"]').waitFor({ state: 'attached' });
  await page.emulateMedia({ media: 'screen' });
  await page.locator('html[data-theme="light"]').waitFor({ state: 'attached' });

  const files = '**/assets/js/*.js';
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(files, async (route) => {
    await promise;
    await route.continue();
  });
  await page.locator('nav.navbar').getByRole('link', { name: 'Documentation' }).click();
  await page.locator('[role="status"][aria-label="Loading the page"]').waitFor();
  await page.locator('#nprogress .bar').waitFor({ state: 'attached' });
  resolve();
  await page.waitForURL('**/docs/**');
  await page.locator('[role="status"][aria-label="Loading the page"]').waitFor({ state: 'detached' });

  await page.unroute(files);
  await page.route(files, (route) =>
    /\/(runtime~)?main\./.test(route.request().url()) ? route.continue() : route.abort(),
  );
  await page.reload();
  await page.getByRole('alert').getByRole('button', { name: 'Retry' }).waitFor();
});
