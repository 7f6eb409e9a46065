import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LuceneNode } from '../lucene-node.ts';
import { parseLucene } from '../parse-lucene.ts';
import { luceneConstructs, luceneRefusals } from './lucene-constructs.ts';
import { luceneReference } from './lucene-reference.ts';

const wordsOf = (node: LuceneNode): string[] => [
  node.type,
  ...(node.type === 'boolean'
    ? node.clauses.flatMap(({ occur, node: part }) => [occur, ...wordsOf(part)])
    : []),
];

test('the page about Lucene has an example of everything that the parser makes out of a search', () => {
  const seen = luceneConstructs.flatMap(({ constructs }) =>
    constructs.flatMap(({ example }) => wordsOf(parseLucene(example))),
  );
  assert.deepEqual([...new Set(seen)].toSorted(), [
    'all',
    'boolean',
    'exists',
    'must',
    'mustNot',
    'pattern',
    'range',
    'regex',
    'should',
    'term',
  ]);
});

test('the page about Lucene names as refused only what the parser refuses', () => {
  for (const { example } of luceneRefusals) {
    assert.throws(() => parseLucene(example), { name: 'LuceneParseError' }, example);
    assert.ok(luceneReference().includes(`\n${example}\n`), example);
  }
});
