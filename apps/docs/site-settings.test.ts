import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSiteSettings, siteSettings } from './site-settings.ts';

test('a site that nothing is configured for uses no outside service', () => {
  assert.deepEqual(readSiteSettings({}), {
    url: 'http://localhost:7600',
    baseUrl: '/',
    search: undefined,
    searchReplacement: undefined,
    chat: undefined,
    fontsUrl: undefined,
    announcement: undefined,
    signUpUrl: '/docs/quickstart/sign-up/',
    parent: { name: 'Project', url: '/markdown-page/' },
    colorModeSwitch: true,
    respectSystem: false,
  });
});

test('every setting of the site is read from the variable of its name', () => {
  const all = {
    DOCS_URL: 'https://docs.example.org/',
    DOCS_BASE_URL: '/help/',
    DOCS_SEARCH_APP_ID: 'APP',
    DOCS_SEARCH_API_KEY: 'key',
    DOCS_SEARCH_REPLACE_FROM: '^/docs/',
    DOCS_SEARCH_REPLACE_TO: '/help/docs/',
    DOCS_CHAT_KEY: 'chat',
    DOCS_CHAT_SRC: 'https://chat.example.org/widget.js',
    DOCS_FONTS_URL: 'https://fonts.example.org/css2?family=Roboto',
    DOCS_ANNOUNCEMENT_ID: 'maintenance-1',
    DOCS_ANNOUNCEMENT_TEXT: 'Closed on <b>Sunday</b>.',
    DOCS_SIGN_UP_URL: 'https://example.org/sign-up',
    DOCS_PARENT_NAME: 'Example',
    DOCS_PARENT_URL: 'https://example.org/',
    DOCS_COLOR_MODE_SWITCH: 'false',
    DOCS_RESPECT_SYSTEM: 'true',
  };
  assert.deepEqual(Object.keys(all), Object.keys(siteSettings));
  assert.deepEqual(readSiteSettings(all), {
    url: 'https://docs.example.org',
    baseUrl: '/help/',
    search: { appId: 'APP', apiKey: 'key' },
    searchReplacement: { from: '^/docs/', to: '/help/docs/' },
    chat: { key: 'chat', src: 'https://chat.example.org/widget.js' },
    fontsUrl: 'https://fonts.example.org/css2?family=Roboto',
    announcement: { id: 'maintenance-1', text: 'Closed on <b>Sunday</b>.' },
    signUpUrl: 'https://example.org/sign-up',
    parent: { name: 'Example', url: 'https://example.org/' },
    colorModeSwitch: false,
    respectSystem: true,
  });
});

test('a pattern without a replacement takes its match out of the paths of results', () => {
  const { searchReplacement } = readSiteSettings({
    DOCS_SEARCH_REPLACE_FROM: '^/docs',
    DOCS_SEARCH_REPLACE_TO: '',
  });
  assert.deepEqual(searchReplacement, { from: '^/docs', to: '' });
});

const refused: [settings: Record<string, string>, why: RegExp][] = [
  [{ DOCS_URL: 'docs.example.org' }, /DOCS_URL is "docs.example.org"; expected an address/],
  [{ DOCS_URL: 'https://example.org/docs' }, /DOCS_URL is .* expected an origin/],
  [{ DOCS_BASE_URL: 'help' }, /DOCS_BASE_URL is "help"; expected a path/],
  [{ DOCS_SEARCH_APP_ID: 'A' }, /DOCS_SEARCH_APP_ID needs DOCS_SEARCH_API_KEY as well/],
  [{ DOCS_CHAT_SRC: 'https://a.example/' }, /DOCS_CHAT_SRC needs DOCS_CHAT_KEY as well/],
  [{ DOCS_SEARCH_REPLACE_FROM: '(' }, /DOCS_SEARCH_REPLACE_FROM is "\("; expected a regular expression/],
  [{ DOCS_FONTS_URL: 'javascript:alert(1)' }, /DOCS_FONTS_URL is .* begins with https/],
  [{ DOCS_SIGN_UP_URL: '//example.org' }, /DOCS_SIGN_UP_URL is/],
  [{ DOCS_COLOR_MODE_SWITCH: 'no' }, /DOCS_COLOR_MODE_SWITCH is "no"; expected true or false/],
  [{ DOCS_URL: 'x', DOCS_BASE_URL: 'y' }, /DOCS_URL is .*; DOCS_BASE_URL is /],
];

for (const [settings, why] of refused) {
  test(`a site is not built with ${JSON.stringify(settings)}`, () => {
    assert.throws(() => readSiteSettings(settings), why);
  });
}
