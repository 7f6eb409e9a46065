import { parseLucene } from '@redoubt/query/lucene';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeField, findProblem, findWords, wordsOf } from './lucene-terms.ts';

test('a wrong search has a place and a hint, and a right one has none', () => {
  for (const right of ['', 'a-b', '"C:\\\\x\\\\"', 'f:[5 TO *]', 'name:london AND NOT type:ndb', '*:*'])
    assert.equal(findProblem(right), undefined, right);
  for (const [wrong, part] of [
    ['💩 name:(london', '('],
    ['a )', ')'],
    ['a AND OR b', 'OR'],
    ['f:[5 TO', 'O'],
  ] as const) {
    const problem = findProblem(wrong);
    assert.equal(wrong.slice(problem?.from, problem?.to), part, wrong);
    assert.match(problem?.hint ?? '', /^[A-Z].*/s);
  }
});

test('the words of a search are those that its matches contain', () => {
  assert.deepEqual(wordsOf('name:London AND "Runway closed" NOT type:ndb'), ['london', 'runway', 'closed']);
  assert.deepEqual(wordsOf('name:('), []);
  const text = 'Closed: runway 07, runways';
  assert.deepEqual(
    findWords(text, ['runway', 'closed']).map(({ from, to }) => text.slice(from, to)),
    ['Closed', 'runway'],
  );
});

test('a completed field name means that field, whatever characters it has', () => {
  for (const name of ['plain', 'a b', 'a:b', 'C:\\x\\', 'a-b', 'AND!', '"q"', 'a/b', 'x>y']) {
    const tree = parseLucene(`${escapeField(name)}:word`);
    assert.equal('field' in tree && tree.field, name);
  }
});
