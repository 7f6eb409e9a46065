/* Shows: S-crash-page, S-crash-base-url, S-crash-navbar */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fixturePages } from '../fixture-pages.ts';
import { fixtureSite, page as newPage, serveSite } from '../site.ts';

const site = await fixturePages('behaviour');

test('a render error shows a page titled "This page crashed." with a Try again button', async () => {
  const { page } = await site.open('/crash/');
  await page.getByRole('button', { name: 'Break' }).click();
  await page.getByRole('heading', { name: 'This page crashed.', exact: true, level: 1 }).waitFor();
  await page.waitForFunction(() => document.title === 'This page crashed.');
  await page.getByText('The content fell to pieces').waitFor();
  await page.getByText('It was too thin').waitFor();
  assert.equal(await page.locator('.navbar').getByText('A document').count(), 1, 'the navbar stays');

  await page.evaluate(() => delete document.body.dataset['broken']);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Break' }).waitFor();
  assert.equal(await page.getByText('This page crashed.').count(), 0);
});

test('a navbar item that fails to render raises an error that asks to check its configuration', async () => {
  const { page } = await site.window();
  await page.goto(`${site.origin}/?break-navbar`);
  await page.getByRole('heading', { name: 'This page crashed.', exact: true }).waitFor();
  const message = await page.getByText('A theme navbar item failed to render.').innerText();
  assert.match(message, /Please double-check the following navbar item \(themeConfig\.navbar\.items\)/);
  assert.match(message, /"type": "custom-fragile"/);
  assert.match(message, /"label": "Fragile item"/);
  assert.match(message, /Cause:\s+The item fell to pieces/);
  await page.evaluate(() => history.replaceState(null, '', '/'));
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Fragile item').waitFor();

  await page.goto(`${site.origin}/?break-navbar`);
  await page.getByRole('link', { name: 'Fixture' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
});

test('a site under another base URL than it was built for says so, and suggests the right one', async () => {
  const { origin } = await serveSite(await fixtureSite('behaviour'), { baseUrl: '/help/' });
  const { page } = await newPage({ origin });
  await page.goto(`${origin}/help/`);
  const banner = page.locator('#__docusaurus-base-url-issue-banner');
  await banner.waitFor();
  const text = await banner.innerText();
  assert.match(text, /Your Docusaurus site did not load properly/);
  assert.match(text, /Current configured baseUrl = \/ /);
  assert.match(text, /We suggest trying baseUrl = \/help\//);

  const right = await site.open('/');
  assert.equal(await right.page.locator('#__docusaurus-base-url-issue-banner').count(), 0);
});
