import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { evaluateLabel } from './evaluate-label.ts';
import { LabelSyntaxError } from './label-syntax-error.ts';
import { maxAttributeLength, maxLabelDepth, maxLabelLength } from './limits.ts';
import { parseLabel } from './parse-label.ts';

function faultOf(text: string): LabelSyntaxError {
  try {
    parseLabel(text);
  } catch (error) {
    assert.ok(error instanceof LabelSyntaxError, String(error));
    return error;
  }
  return assert.fail(`${JSON.stringify(text)} was read`);
}

const nested = (depth: number): string => `${'('.repeat(depth)}A${')'.repeat(depth)}`;

const attributeExpected =
  'an attribute (letters, digits and _ - . : /, or any characters in double quotes) or "("';
const belongTogether = '(parentheses say how & and | belong together)';
const character = 'no control character and no half of a surrogate pair';

describe('reading a label', () => {
  test('the empty text is the empty label, and nothing else is', () => {
    assert.deepEqual(parseLabel(''), { kind: 'empty' });
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: fc.constantFrom('(', ')', ' ', '"', '\\', '\n', '\t', '&', '|') }),
        (text) => {
          try {
            return parseLabel(text).kind !== 'empty';
          } catch (error) {
            return error instanceof LabelSyntaxError;
          }
        },
      ),
    );
  });

  test('a label becomes a tree of its operators with upper-cased attributes', () => {
    assert.deepEqual(parseLabel('top&(b:1|"c d")&e'), {
      kind: 'and',
      operands: [
        { kind: 'attribute', attribute: 'TOP' },
        {
          kind: 'or',
          operands: [
            { kind: 'attribute', attribute: 'B:1' },
            { kind: 'attribute', attribute: 'C D' },
          ],
        },
        { kind: 'attribute', attribute: 'E' },
      ],
    });
  });

  test('the escapes of a quoted attribute stand for the double quote and the backslash', () => {
    assert.deepEqual(parseLabel(String.raw`"a\"b\\c(&|) é😀"`), {
      kind: 'attribute',
      attribute: String.raw`A"B\C(&|) é😀`,
    });
  });

  test('only the letters a-z are upper-cased, so that look-alikes stay different attributes', () => {
    const attributes = new Set(['S', 'I', 'SS', 'STRASSE', 'É', 'K']);
    for (const lookAlike of ['ſ', 'ı', 'ß', 'straße', 'é', '\u212A']) {
      assert.equal(evaluateLabel(parseLabel(`"${lookAlike}"`), attributes), false, lookAlike);
    }
    assert.equal(evaluateLabel(parseLabel('"s"'), attributes), true);
  });

  const faults: [text: string, position: number, expected: string][] = [
    ['A&', 2, attributeExpected],
    ['A||B', 2, attributeExpected],
    ['()', 1, attributeExpected],
    [' A', 0, attributeExpected],
    ['\t', 0, attributeExpected],
    ['!A', 0, attributeExpected],
    ['é', 0, attributeExpected],
    ['A B', 1, '"&", "|" or the end'],
    ['A)', 1, '"&", "|" or the end'],
    ['A(B)', 1, '"&", "|" or the end'],
    ['"A""B"', 3, '"&", "|" or the end'],
    ['(A', 2, '"&", "|" or ")"'],
    ['(A B)', 2, '"&", "|" or ")"'],
    ['A&B|C', 3, `"&" or the end ${belongTogether}`],
    ['A|B&C', 3, `"|" or the end ${belongTogether}`],
    ['(A|B&C)', 4, `"|" or ")" ${belongTogether}`],
    ['"A', 2, 'the closing double quote'],
    ['"A\\', 3, '\\" or \\\\ as the only escapes'],
    [String.raw`"A\n"`, 3, '\\" or \\\\ as the only escapes'],
    ['A&""', 3, 'at least one character'],
    ['A|"\\"\u0007"', 5, character],
    ['"\u007F"', 1, character],
    ['"\u0085"', 1, character],
    ['"a\uD800b"', 2, character],
    ['"\uDC00"', 1, character],
  ];
  for (const [text, position, expected] of faults) {
    test(`${JSON.stringify(text)} is refused at position ${position}`, () => {
      const fault = faultOf(text);
      assert.equal(fault.position, position);
      assert.equal(fault.expected, expected);
      assert.ok(fault.message.includes(JSON.stringify(text)), fault.message);
      assert.ok(fault.message.includes(`at position ${position}`), fault.message);
    });
  }

  test('the message of a label fault quotes the label, what stands there and what was expected', () => {
    assert.equal(
      faultOf('A&B|C').message,
      `Label "A&B|C" is not valid: at position 3 "|" stands, expected "&" or the end ${belongTogether}.`,
    );
    assert.equal(
      faultOf('(A').message,
      'Label "(A" is not valid: at position 2 it ends, expected "&", "|" or ")".',
    );
    assert.equal(
      faultOf('A😀').message,
      'Label "A😀" is not valid: at position 1 "😀" stands, expected "&", "|" or the end.',
    );
  });

  test('the message of a fault in a long label quotes the characters around it', () => {
    const operand = 'ABCDEFGHI&';
    const { message } = faultOf(`${operand.repeat(20)}&${operand.repeat(20)}A`);
    const before = operand.repeat(4);
    assert.ok(
      message.startsWith(`Label …"${before}&${operand.repeat(4).slice(0, 39)}"… is not valid`),
      message,
    );
  });

  test('parentheses nest up to the limit and not beyond', () => {
    assert.deepEqual(parseLabel(nested(maxLabelDepth)), { kind: 'attribute', attribute: 'A' });
    assert.equal(faultOf(nested(maxLabelDepth + 1)).position, maxLabelDepth);
    assert.equal(faultOf('('.repeat(maxLabelLength)).expected, 'at most 100 parentheses inside each other');
  });

  test('a label is read up to its longest length and refused beyond', () => {
    const longest = 'A&'.repeat(maxLabelLength / 2 - 1) + 'BC';
    assert.equal(longest.length, maxLabelLength);
    assert.equal(parseLabel(longest).kind, 'and');
    assert.equal(faultOf(`${longest}D`).position, maxLabelLength);
    assert.equal(faultOf(`${longest}D`).expected, 'at most 10000 characters in a label');
  });

  test('an attribute in a label is read up to its longest length and refused beyond', () => {
    const longest = 'A'.repeat(maxAttributeLength);
    for (const text of [longest, `"${longest}"`, `"${String.raw`\"`.repeat(maxAttributeLength)}"`]) {
      assert.equal(parseLabel(text).kind, 'attribute');
    }
    assert.equal(faultOf(`B&${longest}A`).position, 2 + maxAttributeLength);
    assert.equal(faultOf(`B&"\\"${longest}"`).position, 3 + 1 + maxAttributeLength);
  });
});
