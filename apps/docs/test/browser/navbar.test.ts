import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';

import { fixturePages } from '../fixture-pages.ts';

const site = await fixturePages('behaviour');
const withoutSearchItem = await fixturePages('no-switch');

const left = (page: Page) => page.locator('.navbar__items:not(.navbar__items--right)').first();
const right = (page: Page) => page.locator('.navbar__items--right');
const search = 'Search of the fixture';
const shown = (page: Page) => page.locator('.navbar-sidebar--show').count();
const sidebar = (page: Page) => page.locator('.navbar-sidebar');
const open = (page: Page) => page.getByRole('button', { name: 'Toggle navigation bar' }).click();
const hidden = (page: Page) => page.locator('.navbar:not(.navbar-sidebar--show)').waitFor();

test('the navbar has a left and a right group, and each item stands in the one of its position', async () => {
  const { page } = await site.open('/');
  const texts = async (group: ReturnType<typeof left>) =>
    (await group.innerText()).split('\n').filter(Boolean);
  assert.deepEqual(await texts(left(page)), ['Fixture', 'A sidebar', 'A document', 'A page', search]);
  assert.deepEqual(await texts(right(page)), ['Elsewhere', '2.0', 'Fragile item']);
  const side = async (group: ReturnType<typeof left>) => (await group.boundingBox())?.x ?? Number.NaN;
  assert.ok((await side(left(page))) < (await side(right(page))));
});

test('items of the navbar lead to a page of the site by to, and to another site by href', async () => {
  const { page } = await site.open('/');
  const target = (name: string) => page.getByRole('link', { name }).first().getAttribute('href');
  assert.equal(await target('A page'), '/tall/');
  assert.equal(await target('Elsewhere'), 'https://example.com/elsewhere');
  await page.getByRole('link', { name: 'A page' }).click();
  await page.getByRole('heading', { name: 'Tall' }).waitFor();
});

test('items of the navbar are what their type says: a sidebar, a document, a menu of versions; a draft is left out', async () => {
  const { page } = await site.open('/');
  const target = (name: string) => page.getByRole('link', { name }).first().getAttribute('href');
  assert.equal(await target('A sidebar'), '/docs/category/guide/');
  assert.equal(await target('A document'), '/docs/intro/');
  assert.equal(await page.locator('.navbar').getByText('A draft').count(), 0);
  await page.locator('.navbar .dropdown').hover();
  await page.getByRole('link', { name: '1.0' }).waitFor();
  assert.deepEqual(await page.locator('.navbar .dropdown__menu a').allInnerTexts(), ['2.0', '1.0']);
});

test('the search stands in the right group of the navbar if no search item is configured', async () => {
  const configured = await site.open('/');
  assert.equal(await left(configured.page).getByRole('button', { name: search }).count(), 1);
  assert.equal(await right(configured.page).getByRole('button', { name: search }).count(), 0);
  const { page } = await withoutSearchItem.open('/');
  assert.equal(await left(page).getByRole('button', { name: search }).count(), 0);
  assert.equal(await right(page).getByRole('button', { name: search }).count(), 1);
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
  const toggle = page.getByRole('button', { name: 'Toggle navigation bar' });
  await open(page);
  await page.setViewportSize({ width: 997, height: 800 });
  await hidden(page);
  await sidebar(page).waitFor({ state: 'detached' });
  assert.equal(await toggle.isVisible(), false);
  await page.setViewportSize({ width: 996, height: 800 });
  await toggle.waitFor();
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
