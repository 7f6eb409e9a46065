import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeClientExpression } from './decode-client-expression.ts';
import { findAnyFieldLeaf } from './find-any-field-leaf.ts';
import { parseLucene } from './parse-lucene.ts';

const cases: [string, string][] = [
  ['', ''],
  ['nm0000001', 'nm0000001'],
  ['name%3A%20John', 'name: John'],
  ['a%2Fb/c_.-~', 'a/b/c_.-~'],
  ['%E6%9D%B1', '東'],
  ['%e6%9d%b1', '東'],
  ["name LIKE '%ab%'", "name LIKE '%ab%'"],
  ['100%', '100%'],
  ['%zz', '%zz'],
  ['%ff%fe', '%ff%fe'],
  ['a%20b c', 'a%20b c'],
  ['é%20', 'é%20'],
];

for (const [sent, meant] of cases) {
  test(`the expression sent as ${JSON.stringify(sent)} means ${JSON.stringify(meant)}`, () => {
    assert.equal(decodeClientExpression(sent), meant);
  });
}

test('the first leaf that searches any field is found at any depth', () => {
  assert.deepEqual(findAnyFieldLeaf(parseLucene('f:a AND (-g:[1 TO 2] OR b*)')), {
    type: 'pattern',
    at: 25,
    field: null,
    parts: [{ text: 'b' }, { any: true }],
  });
  assert.equal(findAnyFieldLeaf(parseLucene('/x/'))?.at, 1);
  assert.equal(findAnyFieldLeaf(parseLucene('f:a -g:b* *:* _exists_:h i:/x/ j:>5')), undefined);
});
