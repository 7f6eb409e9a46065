import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { findLiteralTexts } from './console-texts.ts';

/** Folders of the console whose texts are not in the catalogue yet. */
const notYet = [
  'apps/web/src/features/datasets/records/',
  'apps/web/src/features/people/',
  'apps/web/src/features/session/',
  'apps/web/src/features/uploads/',
];

test('texts between tags and in attributes that people read are found, and other strings are not', () => {
  const source = `const A = () => <Box sx={{ color: 'red' }} id="main" title="Jobs" aria-label={texts.jobs}>
    Two words {count} · {texts.more}
  </Box>;`;
  assert.deepEqual(findLiteralTexts(source), ['1: Jobs', '2: Two words']);
});

test('the texts of the console are in its catalogue', () => {
  const withTexts = globSync('apps/web/src/**/*.tsx')
    .map((file) => file.replaceAll('\\', '/'))
    .map((file) => ({ file, texts: findLiteralTexts(readFileSync(file, 'utf8')) }))
    .filter(({ texts }) => texts.length > 0);
  const problems = withTexts
    .filter(({ file }) => !notYet.some((folder) => file.startsWith(folder)))
    .flatMap(({ file, texts }) => texts.map((text) => `${file}:${text}`));
  assert.deepEqual(problems, [], 'move these texts into apps/web/src/text');
  for (const folder of notYet)
    assert.ok(
      withTexts.some(({ file }) => file.startsWith(folder)),
      `${folder} has no texts any more: take it off the list`,
    );
});
