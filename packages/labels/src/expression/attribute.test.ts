import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { normaliseAttribute } from './attribute.ts';
import { canonicalLabel } from './canonical-label.ts';
import { LabelSyntaxError } from './label-syntax-error.ts';
import { parseLabel } from './parse-label.ts';

function outcome(read: () => string): string {
  try {
    return read();
  } catch {
    return 'refused';
  }
}

describe('attributes', () => {
  test('an attribute is stored with a-z upper-cased and everything else as it is', () => {
    assert.equal(normaliseAttribute('top-Secret/nato:1_2.3'), 'TOP-SECRET/NATO:1_2.3');
    assert.equal(normaliseAttribute('äöß ſ "x" \\'), 'äöß ſ "X" \\');
  });

  const refused: [token: string, position: number, message: RegExp][] = [
    ['', 0, /^Attribute "" is not valid: at position 0 it ends, expected at least one character\.$/],
    ['a\nb', 1, /^Attribute "a\\nb" is not valid: .*expected no control character/],
    ['\uD800', 0, /^Attribute "\\ud800" is not valid/],
    ['x'.repeat(257), 256, /expected at most 256 characters in an attribute\.$/],
  ];
  for (const [token, position, message] of refused) {
    test(`the attribute ${JSON.stringify(token).slice(0, 20)} is refused`, () => {
      assert.throws(
        () => normaliseAttribute(token),
        (error) =>
          error instanceof LabelSyntaxError && error.position === position && message.test(error.message),
      );
    });
  }

  test('what can be an attribute can stand in a label, and the other way round', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (token) => {
        const quoted = `"${token.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
        const stored = outcome(() => normaliseAttribute(token));
        const inLabel = outcome(() => {
          const label = parseLabel(quoted);
          return label.kind === 'attribute' ? label.attribute : 'no attribute';
        });
        assert.equal(inLabel, stored);
        if (stored !== 'refused') {
          const again = parseLabel(canonicalLabel(parseLabel(quoted)));
          assert.deepEqual(again, { kind: 'attribute', attribute: stored });
        }
      }),
    );
  });
});
