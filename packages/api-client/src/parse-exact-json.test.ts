import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExactJson } from './parse-exact-json.ts';

test('numbers that a double cannot hold come as the text of their digits', () => {
  const text =
    '{"a":9007199254740993,"b":-9007199254740993,"c":[9007199254740991,1.5],"d":123456789012345678.25,"e":"9007199254740993"}';
  assert.deepEqual(parseExactJson(text), {
    a: '9007199254740993',
    b: '-9007199254740993',
    c: [9007199254740991, 1.5],
    d: '123456789012345678.25',
    e: '9007199254740993',
  });
});

test('numbers that are exact stay numbers, whatever zeros they are written with', () => {
  assert.deepEqual(
    parseExactJson('[1.0000000000000000000, 0.000000000000000001, 1e300, 100000000000000000000.5]'),
    [1, 1e-18, 1e300, '100000000000000000000.5'],
  );
});
