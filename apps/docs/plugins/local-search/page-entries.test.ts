import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageEntries } from './page-entries.ts';

const article = (inner: string, head = ''): string =>
  `<html><head><title>T | Redoubt</title>${head}</head><body><nav>Menu</nav><main><article>${inner}</article></main></body></html>`;

test('a page has an entry for its start and for each heading, with the hash of the heading', () => {
  const html = article(
    '<nav class="theme-doc-breadcrumbs"><a class="breadcrumbs__link">Datasets</a><span class="breadcrumbs__link">Labels</span></nav>' +
      '<h1>Labels</h1><p>What a label is.</p>' +
      '<h2 id="grammar">Grammar<a class="hash-link" href="#grammar">​</a></h2><p>A label is an expression.</p>' +
      '<h3 id="quotes">Quotes</h3><ul><li>One</li><li>Two</li></ul><h2 id="more">More</h2>',
    '<meta name="description" content="Labels said in one sentence.">',
  );
  const entries = pageEntries(html, '/docs/labels/');
  assert.deepEqual(
    entries.map(({ url, headings, text }) => ({ url, headings, text })),
    [
      { url: '/docs/labels/', headings: [], text: 'Labels said in one sentence. What a label is.' },
      { url: '/docs/labels/#grammar', headings: ['Grammar'], text: 'A label is an expression.' },
      { url: '/docs/labels/#quotes', headings: ['Grammar', 'Quotes'], text: 'One Two' },
      { url: '/docs/labels/#more', headings: ['More'], text: '' },
    ],
  );
  assert.ok(entries.every(({ page, area }) => page === 'Labels' && area === 'Datasets'));
});

test('menus, buttons and code blocks of a page are not indexed', () => {
  const [entry] = pageEntries(
    article('<h1>P</h1><p>Text <code>inline</code></p><pre>block</pre><button>Copy</button>'),
    '/p/',
  );
  assert.equal(entry?.text, 'Text inline');
});

const row = (cells: readonly string[]): string =>
  `<table><tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr></table>`;

test('a table is indexed, and a grid of many columns is not', () => {
  const [entry] = pageEntries(
    article(`<h1>P</h1>${row(['401', 'AuthError'])}${row(Array.from({ length: 9 }, () => '404'))}`),
    '/p/',
  );
  assert.equal(entry?.text, '401 AuthError');
});

test('a long section has several entries at one address, up to a maximum length', () => {
  const entries = pageEntries(article(`<h1>P</h1><p>${'word '.repeat(1000)}</p>`), '/p/');
  assert.ok(entries.length > 2 && entries.length < 6);
  assert.ok(entries.every(({ url, text }) => url === '/p/' && text.length <= 600));
});

test('a page with noindex has no entries', () => {
  assert.deepEqual(
    pageEntries(article('<h1>P</h1>', '<meta name="robots" content="noindex, follow">'), '/p/'),
    [],
  );
});

test('the keywords and the address of a page belong only to the entry of its start', () => {
  const entries = pageEntries(
    article('<h1>P</h1><h2 id="a">A</h2>', '<meta name="keywords" content="rotate,secret">'),
    '/p/',
  );
  assert.deepEqual(
    entries.map(({ keywords }) => keywords),
    ['rotate,secret,p', undefined],
  );
});
