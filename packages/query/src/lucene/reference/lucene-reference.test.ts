import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LuceneNode } from '../lucene-node.ts';
import { parseLucene } from '../parse-lucene.ts';
import { luceneExamples, unsupportedLucene } from './lucene-examples.ts';
import { renderLuceneReference } from './lucene-reference.ts';

const wordsOf = (node: LuceneNode): string[] => [
  node.type,
  ...(node.type === 'boolean'
    ? node.clauses.flatMap(({ occur, node: part }) => [occur, ...wordsOf(part)])
    : []),
];

test('the page about Lucene has an example of each kind of node', () => {
  const seen = luceneExamples.flatMap(({ constructs }) =>
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

test('the page about Lucene lists as unsupported only what the parser rejects', () => {
  for (const { example } of unsupportedLucene) {
    assert.throws(() => parseLucene(example), { name: 'LuceneParseError' }, example);
    assert.ok(renderLuceneReference().includes(`\n${example}\n`), example);
  }
});
