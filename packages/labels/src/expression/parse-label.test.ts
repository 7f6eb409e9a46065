/* Shows: K-label-size, L26, W-label-operators, W-label-upper-case, A-label-mixed, A-label-quotes,
   A-label-bounded */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { evaluateLabel } from './evaluate-label.ts';
import { LabelSyntaxError } from './label-syntax-error.ts';
import { maxAttributeLength, maxLabelDepth, maxLabelLength } from './limits.ts';
import { parseLabel } from './parse-label.ts';

function syntaxErrorOf(text: string): LabelSyntaxError {
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
const useParentheses = '(combine & and | with parentheses)';
const character = 'no control character and no half of a surrogate pair';

describe('parsing a label', () => {
  test('only the empty text is the empty label', () => {
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

  test('a quoted attribute can escape the double quote and the backslash', () => {
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

  const invalid: [text: string, position: number, expected: string][] = [
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
    ['A&B|C', 3, `"&" or the end ${useParentheses}`],
    ['A|B&C', 3, `"|" or the end ${useParentheses}`],
    ['(A|B&C)', 4, `"|" or ")" ${useParentheses}`],
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
  for (const [text, position, expected] of invalid) {
    test(`${JSON.stringify(text)} is rejected at position ${position}`, () => {
      const error = syntaxErrorOf(text);
      assert.equal(error.position, position);
      assert.equal(error.expected, expected);
      assert.ok(error.message.includes(JSON.stringify(text)), error.message);
      assert.ok(error.message.includes(`At position ${position}`), error.message);
    });
  }

  test('the message of a label error quotes the label, what was expected and the character found', () => {
    assert.equal(
      syntaxErrorOf('A&B|C').message,
      `The label must be valid, got "A&B|C". At position 3, expected "&" or the end ${useParentheses}, got "|".`,
    );
    assert.equal(
      syntaxErrorOf('(A').message,
      'The label must be valid, got "(A". At position 2, expected "&", "|" or ")", got the end.',
    );
    assert.equal(
      syntaxErrorOf('A😀').message,
      'The label must be valid, got "A😀". At position 1, expected "&", "|" or the end, got "😀".',
    );
  });

  test('the message of an error in a long label quotes the characters around it', () => {
    const operand = 'ABCDEFGHI&';
    const { message } = syntaxErrorOf(`${operand.repeat(20)}&${operand.repeat(20)}A`);
    const before = operand.repeat(4);
    assert.ok(
      message.startsWith(`The label must be valid, got …"${before}&${operand.repeat(4).slice(0, 39)}"…. At`),
      message,
    );
  });

  test('parentheses nest up to the limit and not beyond', () => {
    assert.deepEqual(parseLabel(nested(maxLabelDepth)), { kind: 'attribute', attribute: 'A' });
    assert.equal(syntaxErrorOf(nested(maxLabelDepth + 1)).position, maxLabelDepth);
    assert.equal(syntaxErrorOf('('.repeat(maxLabelLength)).expected, 'at most 100 nested parentheses');
  });

  test('a label is parsed up to its maximum length and rejected beyond', () => {
    const longest = 'A&'.repeat(maxLabelLength / 2 - 1) + 'BC';
    assert.equal(longest.length, maxLabelLength);
    assert.equal(parseLabel(longest).kind, 'and');
    assert.equal(syntaxErrorOf(`${longest}D`).position, maxLabelLength);
    assert.equal(syntaxErrorOf(`${longest}D`).expected, 'at most 10000 characters in a label');
  });

  test('an attribute in a label is parsed up to its maximum length and rejected beyond', () => {
    const longest = 'A'.repeat(maxAttributeLength);
    for (const text of [longest, `"${longest}"`, `"${String.raw`\"`.repeat(maxAttributeLength)}"`]) {
      assert.equal(parseLabel(text).kind, 'attribute');
    }
    assert.equal(syntaxErrorOf(`B&${longest}A`).position, 2 + maxAttributeLength);
    assert.equal(syntaxErrorOf(`B&"\\"${longest}"`).position, 3 + 1 + maxAttributeLength);
  });
});
