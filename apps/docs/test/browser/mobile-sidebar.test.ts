/* Shows: S-mobile-sidebar-toggle, S-mobile-sidebar-desktop, S-mobile-sidebar-back, K-site-desktop */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';

import { fixturePages } from '../fixture-pages.ts';

const site = await fixturePages('behaviour');

const phone = { viewport: { width: 390, height: 844 } };
const shown = (page: Page) => page.locator('.navbar-sidebar--show').count();
const sidebar = (page: Page) => page.locator('.navbar-sidebar');
const toggle = (page: Page) => page.getByRole('button', { name: 'Toggle navigation bar' });
const open = async (page: Page): Promise<void> => {
  await toggle(page).click();
  await page.locator('.navbar-sidebar--show').waitFor();
};
const hidden = (page: Page) => page.locator('.navbar:not(.navbar-sidebar--show)').waitFor();
const goBack = (page: Page) => page.evaluate(() => history.back());
/** The name of the focused element. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
  });

test('the mobile sidebar is toggled open and closed', async () => {
  const { page } = await site.open('/', { viewport: { width: 390, height: 844 } });
  assert.equal(await shown(page), 0);
  await open(page);
  await sidebar(page).getByRole('link', { name: 'A page' }).waitFor();
  await page.getByRole('button', { name: 'Close navigation bar' }).click();
  await hidden(page);
  await open(page);
  assert.equal(await shown(page), 1);
  await page.locator('.navbar-sidebar__backdrop').click({ position: { x: 380, y: 400 } });
  await hidden(page);
});

test('the mobile sidebar closes on a switch to desktop width, which begins above 996 px', async () => {
  const { page } = await site.open('/', { viewport: { width: 996, height: 800 } });
  await open(page);
  await page.setViewportSize({ width: 997, height: 800 });
  await hidden(page);
  await sidebar(page).waitFor({ state: 'detached' });
  assert.equal(await toggle(page).isVisible(), false);
  await page.setViewportSize({ width: 996, height: 800 });
  await toggle(page).waitFor();
  await sidebar(page).waitFor({ state: 'attached' });
  assert.equal(await shown(page), 0);
});

test('the mobile sidebar closes on back navigation, which stays on the page', async () => {
  const { page } = await site.open('/', { viewport: { width: 390, height: 844 } });
  await page.getByRole('link', { name: 'The other page' }).click();
  await page.getByRole('heading', { name: 'Other' }).waitFor();
  await open(page);
  assert.equal(await shown(page), 1);
  await page.evaluate(() => history.back());
  await hidden(page);
  await page.waitForURL('**/other/');
  await page.getByRole('heading', { name: 'Other' }).waitFor();
  await page.evaluate(() => history.back());
  await page.getByRole('heading', { name: 'Home' }).waitFor();
});

test('Back closes the mobile sidebar on the page by which a reader came to the site', async () => {
  const { page } = await site.open('/other/', phone);
  await open(page);
  await goBack(page);
  await hidden(page);
  assert.equal(page.url(), `${site.origin}/other/`);
});

test('a mobile sidebar that was closed by its button leaves Back as it was', async () => {
  const { page } = await site.open('/', phone);
  await page.getByRole('link', { name: 'The other page' }).click();
  await page.getByRole('heading', { name: 'Other' }).waitFor();
  await open(page);
  await page.getByRole('button', { name: 'Close navigation bar' }).click();
  await hidden(page);
  await goBack(page);
  await page.getByRole('heading', { name: 'Home' }).waitFor();
});

test('Back from a page that was opened in the mobile sidebar leads to the page before it', async () => {
  const { page } = await site.open('/', phone);
  await page.getByRole('link', { name: 'The other page' }).click();
  await page.getByRole('heading', { name: 'Other' }).waitFor();
  await open(page);
  await sidebar(page).getByRole('link', { name: 'A page' }).click();
  await page.getByRole('heading', { name: 'Tall' }).waitFor();
  await hidden(page);
  await goBack(page);
  await page.getByRole('heading', { name: 'Other' }).waitFor();
  await goBack(page);
  await page.getByRole('heading', { name: 'Home' }).waitFor();
});

test('the mobile sidebar takes the focus, keeps it, and gives it back when Escape closes it', async () => {
  const { page } = await site.open('/', phone);
  await open(page);
  assert.equal(await focused(page), 'Close navigation bar');
  for (let presses = 0; presses < 20; presses += 1) {
    await page.keyboard.press('Tab');
    assert.ok(
      await page.evaluate(() => document.activeElement?.closest('.navbar-sidebar') !== null),
      `after ${presses + 1} presses of Tab the focus is on "${await focused(page)}"`,
    );
  }
  await page.keyboard.press('Escape');
  await hidden(page);
  assert.equal(await focused(page), 'Toggle navigation bar');
});
