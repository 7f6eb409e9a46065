import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseByteRange } from './byte-range.ts';

test('a range of bytes is parsed for the size of its file', () => {
  const cases: [string | undefined, ReturnType<typeof parseByteRange>][] = [
    [undefined, undefined],
    ['bytes=0-', { first: 0, last: 9 }],
    ['bytes=2-4', { first: 2, last: 4 }],
    ['bytes=2-400', { first: 2, last: 9 }],
    ['bytes=-3', { first: 7, last: 9 }],
    ['bytes=-300', { first: 0, last: 9 }],
    ['bytes=-0', 'none'],
    ['bytes=10-', 'none'],
    ['bytes=4-2', undefined],
    ['bytes=0-1,3-4', undefined],
    ['bytes=-', undefined],
    ['lines=1-2', undefined],
  ];
  for (const [header, expected] of cases) assert.deepEqual(parseByteRange(header, 10), expected, header);
  assert.equal(parseByteRange('bytes=0-', 0), 'none');
});
