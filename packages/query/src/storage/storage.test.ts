import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { quoteIdentifier, quoteString } from './quoting.ts';
import { fieldCode, isDocPath, kinds, overflowCode, pathOfCode } from './record-columns.ts';

test('text literals escape quotes, backslashes and control characters', () => {
  assert.equal(quoteString(`it's \\ \`x\``), "'it\\'s \\\\ \\`x\\`'");
  assert.equal(quoteString('\u0000\n\u0001\u007f'), "'\\x00\\x0A\\x01\\x7F'");
  assert.equal(quoteString('é東💩\u0085'), "'é東💩\u0085'");
  assert.equal(quoteString('\ud800'), "'\ufffd'");
  assert.equal(quoteIdentifier('a`b\\c'), '`a\\`b\\\\c`');
});

test('no text escapes from its literal', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.match(quoteString(text), /^'(?:[^'\\]|\\['\\`]|\\x[0-7][\dA-F])*'$/u);
      assert.match(quoteIdentifier(text), /^`(?:[^`\\]|\\['\\`]|\\x[0-7][\dA-F])*`$/u);
    }),
  );
});

test('the codes of fields and overflow values distinguish paths, kinds and levels', () => {
  const codes = new Set<number>();
  for (const pathId of [0, 1, 9999]) {
    for (const kind of Object.values(kinds)) {
      for (const top of [true, false]) {
        const code = fieldCode(pathId, kind, top);
        assert.equal(pathOfCode(code), pathId);
        codes.add(code);
      }
      assert.equal(pathOfCode(overflowCode(pathId, kind)), pathId);
    }
  }
  assert.equal(codes.size, 60);
  assert.equal(fieldCode(2 ** 27 - 1, kinds.element, true) < 2 ** 32, true);
});

test('values at paths that the JSON column cannot name are overflow values', () => {
  for (const path of ['a', 'a.b', 'we ird-@#$&*()=+{}|;<>,?/~!', 'é東', '1'])
    assert.equal(isDocPath(path), true, path);
  for (const path of [
    '',
    '.',
    'a.',
    '.a',
    'a..b',
    'a[]',
    'a:b',
    'a`b',
    "it's",
    'a"b',
    'a\\b',
    '^a',
    'a%b',
    'a\u0000',
    'a\nb',
    '\ud800',
  ]) {
    assert.equal(isDocPath(path), false, path);
  }
});
