/* Shows: W-label-characters, A-label-quotes */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { normaliseAttribute } from './attribute.ts';
import { toCanonicalLabel } from './canonical-label.ts';
import { LabelSyntaxError } from './label-syntax-error.ts';
import { parseLabel } from './parse-label.ts';

/** Mostly ASCII, but also any other UTF-16 code unit, including halves of surrogate pairs. */
const codeUnit = fc
  .oneof({ weight: 9, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) }, fc.integer({ min: 0, max: 0xff_ff }))
  .map((code) => String.fromCharCode(code));

function outcome(read: () => string): string {
  try {
    return read();
  } catch {
    return 'rejected';
  }
}

describe('attributes', () => {
  test('an attribute is stored with a-z upper-cased and everything else as it is', () => {
    assert.equal(normaliseAttribute('top-Secret/nato:1_2.3'), 'TOP-SECRET/NATO:1_2.3');
    assert.equal(normaliseAttribute('äöß ſ "x" \\'), 'äöß ſ "X" \\');
  });

  const rejected: [token: string, position: number, message: RegExp][] = [
    [
      '',
      0,
      /^The attribute must be valid, got ""\. At position 0, expected at least one character, got the end\.$/,
    ],
    ['a\nb', 1, /^The attribute must be valid, got "a\\nb"\. .*expected no control character/],
    ['\uD800', 0, /^The attribute must be valid, got "\\ud800"/],
    ['x'.repeat(257), 256, /expected at most 256 characters in an attribute, got "x"\.$/],
  ];
  for (const [token, position, message] of rejected) {
    test(`the attribute ${JSON.stringify(token).slice(0, 20)} is rejected`, () => {
      assert.throws(
        () => normaliseAttribute(token),
        (error) =>
          error instanceof LabelSyntaxError && error.position === position && message.test(error.message),
      );
    });
  }

  test('a token is valid as an attribute exactly when it is valid in a label', () => {
    fc.assert(
      fc.property(fc.string({ unit: codeUnit, maxLength: 300 }), (token) => {
        const quoted = `"${token.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
        const stored = outcome(() => normaliseAttribute(token));
        const inLabel = outcome(() => {
          const label = parseLabel(quoted);
          return label.kind === 'attribute' ? label.attribute : 'no attribute';
        });
        assert.equal(inLabel, stored);
        if (stored !== 'rejected') {
          const again = parseLabel(toCanonicalLabel(parseLabel(quoted)));
          assert.deepEqual(again, { kind: 'attribute', attribute: stored });
        }
      }),
    );
  });
});
