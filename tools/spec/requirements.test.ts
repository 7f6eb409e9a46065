/* Shows: R-route-declared, A-spec-table */
import { allRoutes } from '@redoubt/contract';
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const [asked = '', later = ''] = read('docs/requirements.md').split(/^## Later/m);
const listedIn = (text: string): string[] => [...text.matchAll(/^- `([^`]+)` \S/gm)].map(([, id = '']) => id);

/** The ids that test files name after `Shows:` in a comment at their head. */
const shown = globSync('{apps,packages,testing,tools,bench}/**/*.test.ts', {
  cwd: root,
  exclude: (name) => name === 'node_modules' || name.endsWith('/node_modules'),
})
  .flatMap((file) => [...read(file).matchAll(/^\/\* Shows:(.+?) \*\/$/gms)])
  .flatMap(([, ids = '']) => ids.split(',').map((id) => id.trim()));

/** The calls of the contract with all spellings of their paths. */
const calls = allRoutes.flatMap(({ method, path, aliases = [] }) =>
  [path, ...aliases].map((spelling) => `C-${method}-${spelling}`),
);
/** The pages of the site and their folders. It has more than those that are asked for. */
const pages = globSync('**/*', { cwd: join(root, 'apps/docs/docs') }).map(
  (file) => `S-page-${file.replace(/\.mdx?$/, '')}`,
);
const named = new Set([...calls, ...pages, ...shown]);

describe('the register of requirements', () => {
  test('every line of a list has an id and a sentence, and every id is listed once', () => {
    const ids = [...listedIn(asked), ...listedIn(later)];
    const lines = `${asked}${later}`.split('\n').filter((line) => line.startsWith('- '));
    assert.equal(ids.length, lines.length);
    assert.deepEqual(
      ids.filter((id, index) => ids.indexOf(id) < index),
      [],
    );
  });

  test('every id is named by a route, a page or a test, except those of later parts', () => {
    assert.deepEqual(
      listedIn(asked).filter((id) => !named.has(id)),
      [],
    );
  });

  test('every id that a route or a test names is listed, and not for a later part', () => {
    const ids = new Set(listedIn(asked));
    assert.deepEqual(
      [...calls, ...shown].filter((id) => !ids.has(id)),
      [],
    );
  });
});
