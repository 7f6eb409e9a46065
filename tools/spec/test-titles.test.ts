import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testTitles } from './test-titles.ts';

test('titles of tests and suites are found in any quotes', () => {
  const source = String.raw`
    describe("a suite", () => {
      test('it\'s one', () => {});
      it(
        ${'`two`'}, async () => {});
    });`;
  assert.deepEqual(testTitles(source), ['a suite', "it's one", 'two']);
});

test('skipped tests, computed titles and other functions are not found', () => {
  const source = ["test.skip('a')", "it.todo('b')", 'test(`c ${1}`)', "pattern.test('d')", "unit('e')"];
  assert.deepEqual(testTitles(source.join('\n')), []);
});
