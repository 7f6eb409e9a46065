/* Shows: S-announcement-bar, S-config-announcement-id, S-announcement-dismiss, S-announcement-reset,
   S-preferred-version, S-preferred-version-gone, S-storage-local, S-storage-unavailable,
   K-site-storage-dismiss, K-site-storage-announcement, K-site-storage-version, K-site-plugin-id */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FrameLocator, Page } from 'playwright-core';

import { fixturePages, stored } from '../fixture-pages.ts';

const site = await fixturePages('behaviour');

const announcement = (page: Page | FrameLocator) => page.getByText('The second announcement');
const closeButton = (page: Page | FrameLocator) => page.getByRole('button', { name: 'Close' });

test('the announcement is on every page until it is dismissed, and the dismissal is stored', async () => {
  const { page } = await site.open('/');
  await announcement(page).waitFor();
  assert.equal(await stored(page, 'docusaurus.announcement.id'), 'second-announcement');
  assert.equal(await stored(page, 'docusaurus.announcement.dismiss'), 'false');
  await closeButton(page).click();
  await announcement(page).waitFor({ state: 'detached' });
  assert.equal(await stored(page, 'docusaurus.announcement.dismiss'), 'true');
  await site.visit(page, '/other/');
  assert.equal(await announcement(page).count(), 0);
});

test('the announcement comes back when its id changes, at the first visit', async () => {
  const { page } = await site.open('/');
  await page.evaluate(() => {
    localStorage.setItem('docusaurus.announcement.id', 'first-announcement');
    localStorage.setItem('docusaurus.announcement.dismiss', 'true');
  });
  await page.reload();
  await announcement(page).waitFor();
  assert.equal(await stored(page, 'docusaurus.announcement.id'), 'second-announcement');
  assert.equal(await stored(page, 'docusaurus.announcement.dismiss'), 'false');
  await closeButton(page).click();
  await announcement(page).waitFor({ state: 'detached' });
});

test('the preferred version is stored for each instance of the documents when it is chosen', async () => {
  const { page } = await site.open('/docs/intro/');
  await page.locator('.navbar .dropdown').hover();
  await page.getByRole('link', { name: '1.0' }).click();
  await page.waitForURL('**/docs/1.0/intro/');
  assert.equal(await stored(page, 'docs-preferred-version-default'), '1.0');
  assert.equal(await stored(page, 'docs-preferred-version-second'), null);
  await site.visit(page, '/');
  assert.equal(await page.locator('.navbar .dropdown > a').innerText(), '1.0');
});

test('the preferred version is cleared when that version no longer exists', async () => {
  const { page } = await site.open('/');
  await page.evaluate(() => {
    localStorage.setItem('docs-preferred-version-default', '1.0');
    localStorage.setItem('docs-preferred-version-second', '0.9');
  });
  await site.visit(page, '/');
  await page.waitForFunction(() => localStorage.getItem('docs-preferred-version-second') === null);
  assert.equal(await stored(page, 'docs-preferred-version-default'), '1.0');
});

test('only the local storage holds the mode, the dismissal and the preferred version', async () => {
  const { page } = await site.open('/docs/intro/', { colorScheme: 'light' });
  await closeButton(page).click();
  await page.getByRole('button', { name: /^Switch between dark and light/ }).click();
  await page.locator('.navbar .dropdown').hover();
  await page.getByRole('link', { name: '1.0' }).click();
  await page.waitForURL('**/docs/1.0/intro/');
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage).toSorted()), [
    'docs-preferred-version-default',
    'docusaurus.announcement.dismiss',
    'docusaurus.announcement.id',
    'theme',
  ]);
  assert.deepEqual(await page.evaluate(() => Object.keys(sessionStorage)), []);
});

test('storage that is not available is treated as empty, with a warning on the console', async () => {
  const { page, complaints } = await site.window({ colorScheme: 'light' });
  // A frame with an opaque origin has no access to storage.
  await page.route('**/frame', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<iframe sandbox="allow-scripts" src="/docs/intro/" width="1300" height="800"></iframe>',
    }),
  );
  await page.goto(`${site.origin}/frame`);
  const frame = page.frameLocator('iframe');
  await frame.locator('html[data-has-hydrated="true"]').waitFor({ state: 'attached' });
  assert.ok(
    complaints.some((text) => text.startsWith('Docusaurus browser storage is not available.')),
    complaints.join('\n'),
  );
  await announcement(frame).waitFor();
  await closeButton(frame).click();
  await announcement(frame).waitFor({ state: 'detached' });
  await frame.getByRole('button', { name: /^Switch between dark and light/ }).click();
  await frame.locator('html[data-theme-choice="light"]').waitFor({ state: 'attached' });
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage)), []);
});
