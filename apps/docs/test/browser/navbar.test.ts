/* Shows: S-navbar-groups, S-navbar-search-right, S-navbar-item-type, S-navbar-item-position,
   S-navbar-item-label, S-navbar-item-to, S-navbar-item-href */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';

import { fixturePages } from '../fixture-pages.ts';

const site = await fixturePages('behaviour');
const withoutSearchItem = await fixturePages('no-switch');

const left = (page: Page) => page.locator('.navbar__items:not(.navbar__items--right)').first();
const right = (page: Page) => page.locator('.navbar__items--right');
const search = 'Search of the fixture';

test('the navbar has a left and a right group, and each item is in the group of its position', async () => {
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

test('navbar items render by type: a sidebar, a document or a menu of versions; drafts are left out', async () => {
  const { page } = await site.open('/');
  const target = (name: string) => page.getByRole('link', { name }).first().getAttribute('href');
  assert.equal(await target('A sidebar'), '/docs/category/guide/');
  assert.equal(await target('A document'), '/docs/intro/');
  assert.equal(await page.locator('.navbar').getByText('A draft').count(), 0);
  await page.locator('.navbar .dropdown').hover();
  await page.getByRole('link', { name: '1.0' }).waitFor();
  assert.deepEqual(await page.locator('.navbar .dropdown__menu a').allInnerTexts(), ['2.0', '1.0']);
});

test('the search is in the right group of the navbar if no search item is configured', async () => {
  const configured = await site.open('/');
  assert.equal(await left(configured.page).getByRole('button', { name: search }).count(), 1);
  assert.equal(await right(configured.page).getByRole('button', { name: search }).count(), 0);
  const { page } = await withoutSearchItem.open('/');
  assert.equal(await left(page).getByRole('button', { name: search }).count(), 0);
  assert.equal(await right(page).getByRole('button', { name: search }).count(), 1);
});
