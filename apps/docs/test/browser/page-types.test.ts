/* Shows: S-footer-columns, S-footer-logo, S-footer-copyright, S-footer-style, S-toc-levels,
   S-pagetype-blog-list, S-pagetype-blog-post, S-pagetype-blog-tags, S-pagetype-doc, S-pagetype-docs-tags,
   S-pagetype-generic, S-config-footer-style, S-config-footer-links, S-config-footer-logo,
   S-config-footer-copyright, K-site-toc */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';

import { fixturePages, type FixturePages } from '../fixture-pages.ts';
import { builtSite, serveSite, type TestPage } from '../site.ts';

const site = await fixturePages('behaviour');
const flat = await fixturePages('no-switch');

const windows = new Map<FixturePages, Promise<TestPage>>();
/** Opens a built page without scripts. All pages of a site share one window. */
async function built(path: string, of: FixturePages = site): Promise<Page> {
  const window = windows.get(of) ?? of.window({ javaScriptEnabled: false });
  windows.set(of, window);
  const { page } = await window;
  const answer = await page.goto(of.origin + path);
  assert.equal(answer?.status(), 200);
  return page;
}

const kind = async (page: Page): Promise<string> => (await page.locator('html').getAttribute('class')) ?? '';
const main = (page: Page) => page.locator('main');
const links = (page: Page) => main(page).getByRole('link').allInnerTexts();

test('the list of a blog shows the beginnings of its posts, the newest first', async () => {
  const page = await built('/blog/');
  assert.match(await kind(page), /\bblog-list-page\b/);
  assert.deepEqual(await main(page).locator('h2').allInnerTexts(), ['Second post', 'First post']);
  await main(page).getByText('The beginning.').waitFor();
  assert.equal(await main(page).getByText('The rest.').count(), 0);
});

test('a post of a blog shows all of it, its author and its tags', async () => {
  const page = await built('/blog/2025/01/01/first/');
  assert.match(await kind(page), /\bblog-post-page\b/);
  assert.equal(await page.title(), 'First post | Fixture');
  assert.equal(await main(page).getByRole('heading', { level: 1 }).innerText(), 'First post');
  await main(page).getByText('The beginning.').waitFor();
  await main(page).getByText('The rest.').waitFor();
  await main(page).getByText('Somebody').waitFor();
  assert.ok((await links(page)).includes('news'));
});

test('the tags of a blog lead to the posts that have them', async () => {
  const page = await built('/blog/tags/');
  assert.match(await kind(page), /\bblog-tags-list-page\b/);
  assert.deepEqual(
    (await main(page).locator('li').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')),
    ['labels 1', 'news 2'],
  );
  await main(page).getByRole('link', { name: 'news' }).click();
  assert.match(await kind(page), /\bblog-tags-post-list-page\b/);
  assert.deepEqual(await main(page).locator('h2').allInnerTexts(), ['Second post', 'First post']);
});

test('a documentation page has its sidebar', async () => {
  const page = await built('/docs/guide/first/');
  assert.match(await kind(page), /\bdocs-doc-page\b/);
  assert.equal(await main(page).getByRole('heading', { level: 1 }).innerText(), 'First steps');
  assert.equal(await page.locator('aside .menu').getByText('First steps').count(), 1);
});

test('the table of contents shows headings of the levels 2 and 3', async () => {
  const page = await built('/docs/guide/first/');
  assert.equal(await main(page).getByRole('heading', { name: 'Level four' }).count(), 1);
  assert.deepEqual(await page.locator('.table-of-contents a').allInnerTexts(), ['Level two', 'Level three']);
});

test('the tags of documents lead to the documents that have them', async () => {
  const page = await built('/docs/tags/');
  assert.match(await kind(page), /\bdocs-tags-list-page\b/);
  await main(page).getByRole('link', { name: 'labels' }).click();
  assert.match(await kind(page), /\bdocs-tags-doc-list-page\b/);
  assert.deepEqual(await main(page).locator('h2').allInnerTexts(), ['First steps', 'Introduction']);
});

test('a generic page shows its content in the layout of the site', async () => {
  const page = await built('/tall/');
  assert.match(await kind(page), /\bplugin-pages\b/);
  assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Tall');
  assert.equal(await page.locator('.navbar').count(), 1);
  assert.equal(await page.locator('footer').count(), 1);
});

test('the Redoubt site has no public blog', async () => {
  const { origin } = await serveSite(await builtSite());
  for (const path of ['/blog/', '/blog/tags/', '/blog/archive/']) {
    const { status } = await fetch(origin + path);
    assert.equal(status, 404, path);
  }
});

test('the footer has columns of links under their titles', async () => {
  const page = await built('/');
  const footer = page.locator('footer');
  assert.deepEqual(await footer.locator('.footer__title').allInnerTexts(), ['First column', 'Second column']);
  const target = (name: string) => footer.getByRole('link', { name }).getAttribute('href');
  assert.equal(await target('Tall page'), '/tall/');
  assert.equal(await target('Far away'), 'https://example.com/far');
});

test('the footer has a flat list of links when none has a title', async () => {
  const page = await built('/', flat);
  const footer = page.locator('footer');
  assert.equal(await footer.locator('.footer__title').count(), 0);
  assert.deepEqual(await footer.locator('.footer__links .footer__link-item').allInnerTexts(), [
    'Home',
    'Far away',
  ]);
  assert.equal(await footer.locator('.footer__copyright').count(), 0);
});

test('the footer has a logo with its two sources, alternative text, size, address and target', async () => {
  const { page } = await site.open('/', { colorScheme: 'light' });
  const logo = page.getByAltText('The logo of the footer').locator('visible=true');
  const link = page.locator('footer').getByRole('link', { name: 'The logo of the footer' });
  assert.equal(await logo.getAttribute('src'), '/img/light.svg');
  assert.equal(await logo.getAttribute('width'), '160');
  assert.equal(await logo.getAttribute('height'), '51');
  assert.equal(await link.getAttribute('href'), 'https://example.com/maker');
  assert.equal(await link.getAttribute('target'), '_self');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html[data-theme="dark"]').waitFor({ state: 'attached' });
  assert.equal(await logo.getAttribute('src'), '/img/dark.svg');
});

test('the footer has a line for the copyright', async () => {
  const page = await built('/');
  assert.equal(await page.locator('footer .footer__copyright').innerText(), 'The line of the copyright');
});

test('the footer is light or dark', async () => {
  const dark = await built('/');
  assert.match((await dark.locator('footer').getAttribute('class')) ?? '', /\bfooter--dark\b/);
  const light = await built('/', flat);
  assert.doesNotMatch((await light.locator('footer').getAttribute('class')) ?? '', /\bfooter--dark\b/);
});
