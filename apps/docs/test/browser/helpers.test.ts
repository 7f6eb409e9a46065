/* Shows: S-config-version-name, S-config-version-isLast, S-config-version-docs, S-config-version-sidebars,
   S-config-version-draftIds, S-config-sidebar-type, S-config-sidebar-href, S-config-sidebar-items,
   S-config-sidebar-label, S-error-sidebar-id, S-error-doc-id, S-error-category, S-error-provider,
   S-draft-nothing, S-storage-server, S-crash-provider */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { fixturePages } from '../fixture-pages.ts';

const site = await fixturePages('behaviour');

/** The output of a page of the fixture during the build: JSON, or error messages. */
async function written(path: string, id: string): Promise<Readonly<Record<string, string>>> {
  const { page } = await site.window({ javaScriptEnabled: false });
  await page.goto(site.origin + path);
  return JSON.parse((await page.locator(`#${id}`).textContent()) ?? '') as Record<string, string>;
}

const facts = await written('/helpers/', 'facts');
const ofDocument = await written('/docs/intro/', 'document-facts');
const outsideProviders = await written('/helpers/', 'without-providers');
const answer = (text: string | undefined): unknown => JSON.parse(text ?? '');

describe('helpers of the documents', () => {
  test('an unknown sidebar id raises an error that names it and those that there are', () => {
    assert.deepEqual(answer(facts['known-sidebar']), {
      link: { path: '/docs/category/guide', label: 'Guide' },
    });
    assert.match(
      facts['unknown-sidebar'] ?? '',
      /^Error: Can't find any sidebar with id "nowhere" in version current/,
    );
    assert.match(facts['unknown-sidebar'] ?? '', /Available sidebar ids are:\n- docs$/);
  });

  test('an unknown document id raises an error that names it and those that there are', () => {
    assert.deepEqual(answer(facts['known-document']), {
      id: 'guide/first',
      path: '/docs/guide/first',
      sidebar: 'docs',
    });
    assert.match(
      facts['unknown-document'] ?? '',
      /^Error: Couldn't find any doc with id "nowhere" in version "current"/,
    );
    assert.match(facts['unknown-document'] ?? '', /Available doc ids are:\n- guide\/first\n- intro/);
    assert.equal(ofDocument['document'], 'Error: no version doc found by id=nowhere');
  });

  test('a category index that is asked for where no category is raises an error', () => {
    assert.match(ofDocument['category'] ?? '', /^Error: \/docs\/intro\/ is not associated with a category\./);
  });

  test('the id of a draft yields nothing instead of an error', () => {
    assert.equal(answer(facts['draft-document']), null);
  });

  test('each missing provider raises an error that names it', () => {
    const missing = {
      ...outsideProviders,
      DocsVersionProvider: facts['no-version'],
      DocsSidebarProvider: facts['no-sidebar'],
    };
    assert.equal(Object.keys(missing).length, 5);
    for (const [provider, message] of Object.entries(missing)) {
      assert.match(message ?? '', new RegExp(`Hook use\\w+ is called outside the <${provider}>`));
    }
  });

  test('versions have a name, whether they are the last, documents, sidebars and the ids of drafts', () => {
    const versions = answer(facts['versions']) as Readonly<Record<string, unknown>>[];
    assert.deepEqual(
      versions.map(({ name, isLast, docs, sidebars, draftIds }) => ({
        name,
        isLast,
        docs,
        sidebars,
        draftIds,
      })),
      [
        {
          name: 'current',
          isLast: true,
          docs: [
            { id: 'guide/first', path: '/docs/guide/first', sidebar: 'docs' },
            { id: 'intro', path: '/docs/intro', sidebar: 'docs' },
            { id: '/category/guide', path: '/docs/category/guide', sidebar: 'docs' },
          ],
          sidebars: { docs: { link: { path: '/docs/category/guide', label: 'Guide' } } },
          draftIds: ['draft'],
        },
        {
          name: '1.0',
          isLast: false,
          docs: [{ id: 'intro', path: '/docs/1.0/intro', sidebar: 'docs' }],
          sidebars: { docs: { link: { path: '/docs/1.0/intro', label: 'intro' } } },
          draftIds: [],
        },
      ],
    );
  });

  test('items of a sidebar are links and categories, with their labels, addresses and items', () => {
    const { items } = answer(ofDocument['sidebar']) as { items: Readonly<Record<string, unknown>>[] };
    assert.deepEqual(
      items.map(({ type, label, href }) => ({ type, label, href })),
      [
        { type: 'category', label: 'Guide', href: '/docs/category/guide' },
        { type: 'link', label: 'Introduction', href: '/docs/intro' },
      ],
    );
    assert.deepEqual(items[0]?.['items'], [
      {
        type: 'link',
        label: 'First steps',
        href: '/docs/guide/first',
        docId: 'guide/first',
        unlisted: false,
      },
    ]);
  });
});

describe('the storage of the browser while a page is rendered by the build', () => {
  for (const use of ['get', 'set', 'del']) {
    test(`raises an error when it is used: ${use}`, () => {
      assert.match(
        facts[`storage-${use}`] ?? '',
        /^Error: Illegal storage API usage for storage key "theme"/,
      );
    });
  }
});
