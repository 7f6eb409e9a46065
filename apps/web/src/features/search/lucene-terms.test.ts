import { parseLucene } from '@redoubt/query/lucene';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeField, findProblem } from './lucene-terms.ts';

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

test('a completed field name means that field, whatever characters it has', () => {
  for (const name of ['plain', 'a b', 'a:b', 'C:\\x\\', 'a-b', 'AND!', '"q"', 'a/b', 'x>y']) {
    const tree = parseLucene(`${escapeField(name)}:word`);
    assert.equal('field' in tree && tree.field, name);
  }
});
