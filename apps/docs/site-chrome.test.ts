/* Shows: S-font, K-site-copyright */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { footer, navbar, styleSheets } from './site-chrome.ts';
import { readSiteSettings } from './site-settings.ts';

const byText = (a = '', b = ''): number => a.localeCompare(b);

const faces = (sheets: string[]): string[] =>
  sheets.filter((sheet) => readFileSync(join(import.meta.dirname, sheet), 'utf8').includes('woff2'));

const links = (settings: Record<string, string>): unknown[] => {
  const { items } = navbar(readSiteSettings(settings)) as {
    items: { label?: string; to?: string; href?: string }[];
  };
  return items.flatMap(({ label, to, href }) =>
    label === 'Sign Up' || label === 'Example' ? [[label, to, href]] : [],
  );
};

test('the style sheet of a fonts service is loaded when one is configured, and the fonts of the site are not', () => {
  const fontsUrl = 'https://fonts.example.org/css2?family=Roboto';
  const own = styleSheets({ fontsUrl: undefined });
  const service = styleSheets({ fontsUrl });
  assert.deepEqual([own.foreign, service.foreign], [[], [fontsUrl]]);
  assert.deepEqual(faces(own.own), ['./src/css/fonts.css']);
  assert.deepEqual(faces(service.own), []);
});

test('the fonts of the site are Roboto in three weights and Roboto Mono in two, for Latin scripts', () => {
  const faces = readFileSync(join(import.meta.dirname, 'src/css/fonts.css'), 'utf8');
  const files = [...faces.matchAll(/url\('~([^']+)'\)/g)].map(([, file = '']) => file);
  for (const file of files)
    assert.ok(existsSync(join(import.meta.dirname, '../../node_modules', file)), file);
  const kinds = files.map((file) =>
    /([a-z-]+?)-(latin(?:-ext)?)-(\d+)-normal\.woff2$/.exec(file)?.slice(1).join(' '),
  );
  assert.deepEqual(
    kinds.toSorted(byText),
    [
      ...['400', '500', '700'].flatMap((weight) => [`roboto latin ${weight}`, `roboto latin-ext ${weight}`]),
      ...['400', '500'].flatMap((weight) => [
        `roboto-mono latin ${weight}`,
        `roboto-mono latin-ext ${weight}`,
      ]),
    ].toSorted(byText),
  );
});

test('the parent project and sign-up lead where the settings say, on the site or elsewhere', () => {
  const parent = { DOCS_PARENT_NAME: 'Example', DOCS_PARENT_URL: 'https://example.org/' };
  assert.deepEqual(links(parent), [
    ['Sign Up', '/docs/quickstart/sign-up/', undefined],
    ['Example', undefined, 'https://example.org/'],
  ]);
  const signUp = { ...parent, DOCS_SIGN_UP_URL: 'https://example.org/join' };
  assert.deepEqual(links(signUp)[0], ['Sign Up', undefined, 'https://example.org/join']);
});

test('the year of the copyright is 2025', () => {
  const { copyright } = footer(readSiteSettings({})) as { copyright: string };
  assert.equal(copyright, 'Copyright © 2025 Redoubt');
});
