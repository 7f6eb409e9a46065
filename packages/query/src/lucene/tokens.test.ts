import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { splitPattern } from './token-pattern.ts';
import { parseLucene } from './parse-lucene.ts';
import { foldText, tokensOf, tokenSpans, tokenText } from './tokens.ts';

const cases: [string, string[]][] = [
  ['', []],
  [' --- ', []],
  ['Hello, World!', ['hello', 'world']],
  ['3.14 foo_bar -5', ['3', '14', 'foo', 'bar', '5']],
  ['ÉCOLE e\u0301cole', ['école', 'école']],
  ['ΟΔΟΣ οδος', ['οδοσ', 'οδοσ']],
  ['İ', ['i̇']],
  ['STRASSE straße', ['strasse', 'straße']],
  ['東京都 カード', ['東', '京', '都', 'カ', 'ー', 'ド']],
  ['abc東1', ['abc', '東', '1']],
  ['𠮷野', ['𠮷', '野']],
  ['กำลัง', ['ก', 'ำ', 'ลั', 'ง']],
  ['नमस्ते', ['नमस्ते']],
  ['a\u0000b\u0001c\u00a0d💩e', ['a', 'b', 'c', 'd', 'e']],
  ['\ud800a\udc00', ['a']],
];

for (const [text, tokens] of cases) {
  test(`the tokens of ${JSON.stringify(text)} are ${JSON.stringify(tokens)}`, () => {
    assert.deepEqual(tokensOf(text), tokens);
  });
}

test('tokens contain no space and no control character, and one space follows each', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const spaced = tokenText(text);
      assert.match(spaced, /^(?:[^\p{Cc}\s]+ )*$/u);
      assert.ok(spaced.isWellFormed());
      assert.deepEqual(tokensOf(text), spaced === '' ? [] : spaced.trimEnd().split(' '));
    }),
  );
});

test('the fast path for ASCII text gives the same tokens as the general rule', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 40 }), (text) => {
      assert.deepEqual(
        tokensOf(text),
        tokenSpans(foldText(text)).map(({ token }) => token),
      );
    }),
  );
});

const pieces: [string, string[]][] = [
  ['sea*', ['sea*']],
  ['*', ['*']],
  ['192.168.*', ['192', '168', '*']],
  ['*@Example.?om', ['*', 'example', '?om']],
  ['a*b-c?', ['a*b', 'c?']],
  ['東京*', ['東', '京*']],
  ['東?', ['東', '?']],
  ['?東a*', ['?', '東', 'a*']],
  ['*東', ['*東']],
  ['a東*', ['a', '東*']],
  ['漢*abc', ['漢', '*abc']],
  ['漢*?abc', ['漢', '*?abc']],
  ['abc*漢', ['abc*', '漢']],
  ['漢*字', ['漢*', '字']],
  ['東*?', ['東', '*?']],
  ['?*東', ['?*', '東']],
  ['Σ*', ['σ*']],
  ['-*-', ['*']],
];

for (const [pattern, expected] of pieces) {
  test(`the wildcard pattern ${pattern} is split into ${JSON.stringify(expected)}`, () => {
    const tree = parseLucene(pattern.replaceAll(/[-@]/g, '\\$&').replace(/^\*$/, 'f:a*'));
    assert.equal(tree.type, 'pattern');
    const parts = pattern === '*' ? [{ any: true as const }] : tree.parts;
    const texts = splitPattern(parts).map((piece) =>
      piece.map((part) => ('text' in part ? part.text : 'any' in part ? '*' : '?')).join(''),
    );
    assert.deepEqual(texts, expected);
  });
}
