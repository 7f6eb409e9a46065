/* Shows: S-topic-faq, S-route-/, S-route-/api/, S-route-/markdown-page/, S-route-/docs/,
   S-route-/docs/category/ */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { internalReleaseNotes, releaseNotes } from '../release-notes.ts';
import { routes, specifiedDocs } from './routes.ts';
import { builtSite, serveSite } from './site.ts';

const folder = await builtSite();
const { origin } = await serveSite(folder);

const titleOf = (html: string): string | undefined => /<title[^>]*>([^<]*)<\/title>/.exec(html)?.[1];

const dated = [
  ...releaseNotes.map(({ slug }) => `/docs/release-notes/${slug}/`),
  ...internalReleaseNotes.map(({ slug }) => `/docs/internal-release-notes/${slug}/`),
];

describe('routes of the site', () => {
  test('every route of the site responds with 200 and its own title', async () => {
    const titles = new Map<string, string>();
    for (const route of [...routes, ...dated]) {
      const answer = await fetch(origin + route, { redirect: 'error' });
      assert.equal(answer.status, 200, route);
      const title = titleOf(await answer.text());
      assert.ok(title !== undefined && title !== 'Redoubt', `${route} has the title ${title}`);
      assert.equal(titles.get(title), undefined, `${route} has the title of ${titles.get(title)}`);
      titles.set(title, route);
    }
  });

  test('all pages of the specification are in the list of required pages', () => {
    const root = join(import.meta.dirname, '../../..');
    const register = readFileSync(join(root, 'docs/requirements.md'), 'utf8');
    const asked = [...register.matchAll(/^- `S-page-([^`]+)`/gm)].map(([, name]) => name);
    const folders = ['release-notes', 'internal-release-notes'];
    assert.deepEqual(new Set(asked), new Set([...specifiedDocs, ...folders]));
  });

  test('no page of the site has the title or the path of another, or a path without a slash at its end', () => {
    const titles = new Map<string, string>();
    for (const file of globSync('**/*.html', { cwd: folder })) {
      if (file === '404.html') continue;
      assert.match(file, /(?:^|\/)index\.html$/);
      const title = titleOf(readFileSync(join(folder, file), 'utf8')) ?? '';
      assert.equal(titles.get(title), undefined, `${dirname(file)} has the title of ${titles.get(title)}`);
      titles.set(title, dirname(file));
    }
  });

  test('no file of the site names a folder of the machine that has built it', () => {
    const here = join(import.meta.dirname, '..');
    for (const file of globSync('**/*.{css,html,js,json,md,txt,xml}', { cwd: folder }))
      assert.ok(!readFileSync(join(folder, file), 'utf8').includes(here), file);
  });

  test('a route without its slash leads to the one with it', async () => {
    const answer = await fetch(`${origin}/docs/intro?a=1`, { redirect: 'manual' });
    assert.deepEqual([answer.status, answer.headers.get('location')], [301, '/docs/intro/?a=1']);
    const links = [
      ...readFileSync(join(folder, 'docs/intro/index.html'), 'utf8').matchAll(/ href="?(\/[^"\s>#?]*)/g),
    ];
    const pages = links.flatMap(([, path = '']) => (/\.\w+$/.test(path) ? [] : [path]));
    assert.ok(pages.length > 20);
    assert.deepEqual(
      pages.filter((path) => !path.endsWith('/')),
      [],
    );
  });

  test('the former address of the error messages leads to the page of error codes', async () => {
    const answer = await fetch(`${origin}/docs/reference/error-messages/`, { redirect: 'error' });
    assert.equal(answer.status, 200);
    assert.match(
      await answer.text(),
      /<meta http-equiv="refresh" content="0; url=\/docs\/handling-error-codes\/">/,
    );
  });

  test('the site has an icon, and robots.txt with the site map', async () => {
    const icon = await fetch(`${origin}/favicon.ico`);
    assert.deepEqual([icon.status, icon.headers.get('content-type')], [200, 'image/x-icon']);
    // An icon begins with these bytes.
    assert.equal(Buffer.from(await icon.arrayBuffer()).readUInt32BE(), 0x0000_0100);
    const answer = await fetch(`${origin}/robots.txt`);
    assert.equal(answer.status, 200);
    const lines = (await answer.text()).split('\n');
    assert.ok(lines.includes('User-agent: *') && lines.includes('Allow: /'));
    assert.ok(lines.includes('Sitemap: http://localhost:7600/sitemap.xml'));
  });

  test('an unknown path responds with 404 and the not-found page', async () => {
    const answer = await fetch(`${origin}/no/such/page/`);
    assert.equal(answer.status, 404);
    assert.match(await answer.text(), /<h1[^>]*>Page not found<\/h1>/);
  });

  test('the sitemap names every page that is to be found', async () => {
    const map = await (await fetch(`${origin}/sitemap.xml`)).text();
    for (const route of [...routes, ...dated].filter((route) => route !== '/search/')) {
      assert.ok(map.includes(`<loc>http://localhost:7600${route}</loc>`), route);
    }
  });
});
