/* Shows: L26, A-label-monotonic, A-label-naive */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { evaluateLabel, listLabelAttributes } from './evaluate-label.ts';
import { LabelSyntaxError } from './label-syntax-error.ts';
import { parseLabel } from './parse-label.ts';

type Result = 'sees' | 'does not see' | 'error';

function result(text: string, attributes: ReadonlySet<string>): Result {
  try {
    return evaluateLabel(parseLabel(text), attributes) ? 'sees' : 'does not see';
  } catch (error) {
    assert.ok(error instanceof LabelSyntaxError, String(error));
    return 'error';
  }
}

/**
 * The reference implementation, which evaluates a label without a tree: it replaces attributes by 1 or 0, and then
 * innermost groups by their value, until one digit is left or nothing can be replaced.
 */
function naiveResult(text: string, attributes: ReadonlySet<string>): Result {
  if (text === '') return 'sees';
  const token = /"((?:[^"\\\p{Cc}\p{Cs}]|\\["\\])+)"|([A-Za-z0-9_\-.:/]+)|([&|()])|([^])/gu;
  let digits = '';
  for (const [, quoted, unquoted, sign, other] of text.matchAll(token)) {
    if (other !== undefined) return 'error';
    const attribute = unquoted ?? quoted?.replaceAll(/\\(.)/g, '$1') ?? '';
    const upper = Array.from(attribute, (letter) => (letter < '\u0080' ? letter.toUpperCase() : letter)).join(
      '',
    );
    digits += sign ?? (attributes.has(upper) ? '1' : '0');
  }
  const group = /\(([01](?:&[01])*|[01](?:\|[01])*)\)/g;
  digits = `(${digits})`;
  for (let before = ''; before !== digits;) {
    before = digits;
    digits = digits.replaceAll(group, (_, inner: string) => {
      if (inner.includes('|')) return inner.includes('1') ? '1' : '0';
      return inner.includes('0') ? '0' : '1';
    });
  }
  if (digits === '1') return 'sees';
  return digits === '0' ? 'does not see' : 'error';
}

const universe = ['A', 'B', 'C.D', 'É', '"', '\\'];
const held = fc.subarray(universe).map((attributes) => new Set(attributes));
const pieces = [
  'A',
  'b',
  'c.d',
  '"é"',
  '"É"',
  '"\\""',
  '"\\\\"',
  '"',
  '\\',
  '&',
  '&',
  '|',
  '(',
  ')',
  ' ',
  '\u0001',
];
const noise = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''));
const { valid } = fc.letrec<{ valid: string; group: string }>((tie) => ({
  valid: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('A', 'b', 'C.d', '"é"', '"É"', '"\\""', '"a"'),
    tie('group'),
  ),
  group: fc
    .tuple(fc.array(tie('valid'), { minLength: 1, maxLength: 4 }), fc.constantFrom('&', '|'))
    .map(([parts, sign]) => `(${parts.join(sign)})`),
}));
/** A valid label with a random part replaced by noise. */
const damaged = fc.tuple(valid, noise, fc.nat(), fc.nat({ max: 3 })).map(([text, piece, at, gone]) => {
  const start = at % (text.length + 1);
  return text.slice(0, start) + piece + text.slice(start + gone);
});

describe('evaluating a label', () => {
  test('a label is visible to readers who satisfy it and to nobody else', () => {
    const cases: [text: string, attributes: string[], expected: Result][] = [
      ['', [], 'sees'],
      ['A', [], 'does not see'],
      ['A', ['A'], 'sees'],
      ['a', ['A'], 'sees'],
      ['A&B', ['A'], 'does not see'],
      ['A&B', ['A', 'B'], 'sees'],
      ['A|B', ['B'], 'sees'],
      ['A&(B|C)', ['A', 'C'], 'sees'],
      ['A&(B|C)', ['B', 'C'], 'does not see'],
    ];
    for (const [text, attributes, expected] of cases) {
      assert.equal(result(text, new Set(attributes)), expected, text);
    }
  });

  test('attributes that are not normalised match no label', () => {
    assert.equal(evaluateLabel(parseLabel('a'), new Set(['a'])), false);
  });

  test('the attributes of a label are listed without duplicates, in order', () => {
    assert.deepEqual(listLabelAttributes(parseLabel('')), []);
    assert.deepEqual(listLabelAttributes(parseLabel('b&("c d"|a|(b&A))')), ['A', 'B', 'C D']);
  });

  test('a reader with more attributes never sees less', () => {
    fc.assert(
      fc.property(valid, held, held, (text, some, others) => {
        const label = parseLabel(text);
        const more = new Set([...some, ...others]);
        assert.ok(!evaluateLabel(label, some) || evaluateLabel(label, more));
      }),
      { numRuns: 500 },
    );
  });

  test('attributes that a label does not name do not matter', () => {
    fc.assert(
      fc.property(valid, held, (text, attributes) => {
        const label = parseLabel(text);
        const named = new Set(listLabelAttributes(label).filter((attribute) => attributes.has(attribute)));
        assert.equal(evaluateLabel(label, attributes), evaluateLabel(label, named));
      }),
    );
  });

  test('a naive evaluator gives the same result for valid, damaged and random labels', () => {
    fc.assert(
      fc.property(fc.oneof(valid, damaged, noise), held, (text, attributes) => {
        assert.equal(result(text, attributes), naiveResult(text, attributes), JSON.stringify(text));
      }),
      { numRuns: 5_000 },
    );
  });

  test('the generated labels cover every result', () => {
    const samples = fc.sample(fc.tuple(fc.oneof(valid, damaged, noise), held), 1_000);
    const results = new Set(samples.map(([text, attributes]) => naiveResult(text, attributes)));
    assert.deepEqual([...results].toSorted(), ['does not see', 'error', 'sees']);
  });
});
