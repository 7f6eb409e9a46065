import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLucene } from '../lucene/parse-lucene.ts';
import { createHighlighter } from './create-highlighter.ts';

const encoder = new TextEncoder();
const highlight = (expression: string, text: string, maxPlaces = 100) =>
  createHighlighter(parseLucene(expression), maxPlaces)(encoder.encode(JSON.stringify({ text })));
const marked = (expression: string, text: string): string[] =>
  highlight(expression, text).places.map(({ offset, length }) => text.slice(offset, offset + length));

test('places are positions in the text as it was written, whatever folding does to it', () => {
  const cases: [string, string, string[]][] = [
    ['i̇x', 'a İx b', ['İx']],
    ['é', 'e\u0301 and é', ['e\u0301', 'é']],
    ['οδος', '💩 ΟΔΟΣ, οδος', ['ΟΔΟΣ', 'οδος']],
    ['k', '\u212a k', ['\u212a', 'k']],
    ['京', '東京都', ['京']],
    ['각', '\u1100\u1161\u11a8 x', ['\u1100\u1161\u11a8']],
    ['"b c"', 'a b, C', ['b, C']],
    ['a', 'a=\u0338 a', ['a', 'a']],
    ['a', '\ud800a', ['a']],
  ];
  for (const [expression, text, expected] of cases)
    assert.deepEqual(marked(expression, text), expected, text);
});

test('wildcards and regular expressions mark whole tokens, or the whole value of a field', () => {
  assert.deepEqual(marked('f?o*', 'fo foo FOOD fooo'), ['foo', 'FOOD', 'fooo']);
  assert.deepEqual(marked('192.168.*', 'from 192.168.1 to 192.168'), ['192.168.1']);
  assert.deepEqual(marked('/F(o{2,3}|x+)d?/', 'fo foo food fxx fooood'), ['foo', 'food', 'fxx']);
  assert.deepEqual(marked('text:/red.fox/', 'Red fox'), ['Red fox']);
  assert.deepEqual(marked('/red.fox/', 'Red fox'), []);
  assert.deepEqual(marked('text:[red TO rfe]', 'red fox'), ['red fox']);
});

test('places beyond the maximum are left out, and the record is not complete', () => {
  const { places, complete } = highlight('a', 'a a a', 2);
  assert.deepEqual([places.length, complete], [2, false]);
  assert.equal(highlight('a', 'a a', 2).complete, true);
});

test('long values and empty repetitions count as steps, so that many clauses cannot hold up a server', () => {
  const record = encoder.encode(JSON.stringify({ t: 'a'.repeat(250_000) }));
  const ranges = Array.from({ length: 1000 }, (_, n) => `t:[a TO z${String(n)}]`).join(' OR ');
  assert.equal(createHighlighter(parseLucene(ranges), 100)(record).complete, false);
  const empty = parseLucene(`t:/(a(${'|'.repeat(500)}))*/`);
  assert.equal(createHighlighter(empty, 100)(record).complete, false);
});

test('texts are compared by code points, as the engine does', () => {
  // U+FF5E is a larger UTF-16 unit than the first half of U+1F600, and a smaller code point.
  assert.equal(highlight('text:[\uFF5E TO *]', '\u{1F600}').places.length, 1);
  assert.equal(highlight('text:[\u{1F601} TO *]', '\u{1F600}').places.length, 0);
  assert.equal(highlight('text:[* TO \u{1F601}]', '\u{1F600}').places.length, 1);
});

test('a regular expression that backtracks elsewhere takes a bounded number of steps', () => {
  assert.deepEqual(highlight('text:/(a+)+b/', 'a'.repeat(10_000)), { places: [], complete: true });
  const highlighter = createHighlighter(parseLucene('text:/.*a.{100}b/'), 100);
  const record = encoder.encode(JSON.stringify({ text: 'a'.repeat(200_000) }));
  const small = encoder.encode('{"text":"b"}');
  assert.deepEqual(highlighter(record), { places: [], complete: false });
  assert.deepEqual(
    highlighter(small),
    { places: [], complete: true },
    'a slow record does not use up the rest',
  );
  for (let n = 0; n < 10; n++) highlighter(record);
  assert.deepEqual(highlighter(small), { places: [], complete: false });
});
