/* Shows: S-theme-mode, S-theme-stored, S-theme-tabs, S-theme-switch-disabled, S-theme-system, S-theme-print,
   K-site-storage-theme */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';

import { fixturePages, stored } from '../fixture-pages.ts';

const site = await fixturePages('behaviour');
const withoutSwitch = await fixturePages('no-switch');

const mode = (page: Page): Promise<string | null> => page.locator('html').getAttribute('data-theme');
const becomes = (page: Page, wanted: 'dark' | 'light') =>
  page.locator(`html[data-theme="${wanted}"]`).waitFor({ state: 'attached' });
const toggle = (page: Page) => page.getByRole('button', { name: /^Switch between dark and light mode/ });

/** Opens a window with a stored mode. */
async function chosen(choice: 'dark' | 'light', options: Parameters<typeof site.open>[1] = {}) {
  const opened = await site.open('/', options);
  await opened.page.evaluate((value) => localStorage.setItem('theme', value), choice);
  await site.visit(opened.page, '/docs/intro/');
  assert.equal(await mode(opened.page), choice);
  return opened;
}

/** Presses the toggle, which cycles through system, light and dark, until the mode is chosen. */
async function choose(page: Page, choice: 'dark' | 'light'): Promise<void> {
  for (let presses = 0; presses < 3 && (await stored(page, 'theme')) !== choice; presses += 1) {
    await toggle(page).click();
  }
  assert.equal(await stored(page, 'theme'), choice);
}

test('the mode is light or dark and selects one of two configured themes of code', async () => {
  const { page } = await chosen('light');
  const background = () =>
    page
      .locator('pre.prism-code')
      .first()
      .evaluate((code) => getComputedStyle(code).backgroundColor);
  const token = () =>
    page
      .locator('pre.prism-code .token.keyword')
      .first()
      .evaluate((word) => getComputedStyle(word).color);
  const light = { background: await background(), token: await token() };
  assert.deepEqual(light, { background: 'rgb(246, 248, 250)', token: 'rgb(0, 0, 159)' });
  await choose(page, 'dark');
  await becomes(page, 'dark');
  const dark = { background: await background(), token: await token() };
  assert.deepEqual(dark, { background: 'rgb(40, 42, 54)', token: 'rgb(189, 147, 249)' });
});

test('the mode is stored under the key theme when it is chosen, and is there on the next visit', async () => {
  const { page } = await site.open('/', { colorScheme: 'light' });
  assert.equal(await stored(page, 'theme'), null);
  await choose(page, 'dark');
  await becomes(page, 'dark');
  await page.reload();
  assert.equal(await mode(page), 'dark');
  assert.deepEqual(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('theme'))),
    ['theme'],
  );
});

test('a stored choice or an address that names neither light nor dark counts as no choice', async () => {
  const { page } = await site.open('/', { colorScheme: 'dark' });
  await page.evaluate(() => localStorage.setItem('theme', 'pink" onload="x'));
  await page.route('**/*.js', (route) => route.abort());
  for (const path of ['/', '/?docusaurus-theme=pink']) {
    await page.goto(site.origin + path, { waitUntil: 'load' });
    assert.equal(await mode(page), 'dark', path);
    assert.equal(await page.locator('html').getAttribute('data-theme-choice'), 'system', path);
    assert.equal(await stored(page, 'theme'), null);
  }
});

test('the mode is chosen in all tabs at once', async () => {
  const { page } = await site.open('/', { colorScheme: 'light' });
  const other = await page.context().newPage();
  await site.visit(other, '/other/');
  await choose(page, 'dark');
  await becomes(other, 'dark');
  await choose(other, 'light');
  await becomes(page, 'light');
});

test('the mode is that of the system when none is stored and the site is configured so', async () => {
  const { page } = await site.open('/', { colorScheme: 'dark' });
  assert.equal(await mode(page), 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await becomes(page, 'light');
  assert.equal(await stored(page, 'theme'), null);
  await choose(page, 'dark');
  await becomes(page, 'dark');
});

test('the mode cannot be chosen where the switch is disabled, and a stored choice is removed', async () => {
  const { page } = await withoutSwitch.open('/', { colorScheme: 'dark' });
  await page.evaluate(() => localStorage.setItem('theme', 'dark'));
  await page.reload();
  assert.equal(await mode(page), 'light');
  await page.waitForFunction(() => localStorage.getItem('theme') === null);
  assert.equal(await toggle(page).count(), 0);
});

test('a printed page has the mode of the system, and the chosen mode comes back afterwards', async () => {
  const { page } = await chosen('dark', { colorScheme: 'light' });
  await page.emulateMedia({ media: 'print' });
  await becomes(page, 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await becomes(page, 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await becomes(page, 'light');
  assert.equal(await stored(page, 'theme'), 'dark');
  await page.emulateMedia({ media: 'screen' });
  await becomes(page, 'dark');
  assert.equal(await stored(page, 'theme'), 'dark');
});

test('a printed page has its mode before the browser takes its picture, code included', async () => {
  const { page } = await chosen('dark', { colorScheme: 'light' });
  await page.evaluate(() => {
    globalThis.addEventListener('beforeprint', () => {
      const token = document.querySelector('pre.prism-code .token.keyword');
      const { color } = getComputedStyle(token ?? document.body);
      document.body.dataset['printed'] = `${document.documentElement.dataset['theme']} ${color}`;
    });
  });
  await page.pdf();
  assert.equal(await page.locator('body').getAttribute('data-printed'), 'light rgb(0, 0, 159)');
  await becomes(page, 'dark');
  assert.equal(await stored(page, 'theme'), 'dark');
});
