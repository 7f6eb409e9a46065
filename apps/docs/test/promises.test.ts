/* Shows: D-two-admins, D-exception-timing, L32 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/** The two pages that say what Redoubt does not promise: one for everybody, one for operators. */
const pages = ['getting-started/what-is-zero-trust', 'operations/non-interference'].map((name) => ({
  name,
  text: readFileSync(join(import.meta.dirname, `../docs/${name}.md`), 'utf8').replaceAll(/\s+/g, ' '),
}));

const says = (...patterns: readonly RegExp[]): void => {
  for (const { name, text } of pages) for (const pattern of patterns) assert.match(text, pattern, name);
};

test('the pages say that two administrators who collude can give each other attributes', () => {
  says(/two administrators who collude[^.]*(each can give the other|can give each other) any attribute/i);
});

test('the pages say that responses are equal, and that equal response times are not promised', () => {
  says(
    /Answers are equal[;.] times are not promised to be/i,
    /longer where (there are more )?hidden records?|longer where a hidden record/i,
  );
});

test('L32: the pages say what repeated aggregates over a changing set disclose', () => {
  says(/Repeated aggregates over a set that changes/);
});

const page = (name: string): string => readFileSync(join(import.meta.dirname, `../docs/${name}.md`), 'utf8');

test('the known limits name no function of SQL that the reference offers', () => {
  const [, limits = ''] = page('operations/known-limits').split('## Searching and SQL');
  const [section = ''] = limits.split('\n## ');
  const named = Array.from(section.matchAll(/`([a-z_]+)\(/g), ([, name = '']) => name);
  const offered = page('reference/sql');
  assert.deepEqual(
    named.filter((name) => offered.includes(`\`${name}\``)),
    [],
  );
});

test('the list of all errors has its own heading', () => {
  const [before = ''] = page('handling-error-codes').split('<!-- generated: errors -->');
  assert.equal(before.match(/^## .*$/gm)?.at(-1), '## Errors by name');
});
