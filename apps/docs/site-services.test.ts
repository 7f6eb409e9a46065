/* Shows: S-chat-widget, S-search-config */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { siteServices } from './site-services.ts';
import { readSiteSettings } from './site-settings.ts';

test('a configured hosted search has the index documentation and contextual search on', () => {
  const settings = readSiteSettings({ DOCS_SEARCH_APP_ID: 'APP1', DOCS_SEARCH_API_KEY: 'key' });
  assert.deepEqual(siteServices(settings).search.hosted, {
    appId: 'APP1',
    apiKey: 'key',
    indexName: 'documentation',
    contextualSearch: true,
  });
});

test('a site with nothing configured has no service of others', () => {
  assert.deepEqual(siteServices(readSiteSettings({})), {
    search: { hosted: undefined, replace: undefined },
    chat: undefined,
  });
});
