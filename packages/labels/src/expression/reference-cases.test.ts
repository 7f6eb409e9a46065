/* Shows: A-label-grammar */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { toCanonicalLabel } from './canonical-label.ts';
import { evaluateLabel } from './evaluate-label.ts';
import { LabelSyntaxError } from './label-syntax-error.ts';
import { parseLabel } from './parse-label.ts';

interface ReferenceGroup {
  description: string;
  /** The sets of attributes: a case is accessible if each set alone gives access. */
  auths: string[][];
  tests: { expectedResult: 'ACCESSIBLE' | 'INACCESSIBLE' | 'ERROR'; expressions: string[] }[];
}

const file = new URL('../../../../testdata/access-expressions.json', import.meta.url);
const groups = JSON.parse(readFileSync(file, 'utf8')) as ReferenceGroup[];

/**
 * Cases whose result differs from the reference because Redoubt ignores the letter case of attributes. The current file
 * has none: no group has two attributes that differ only in letter case. If a newer file has some, list them here.
 */
const differing = new Set<string>();

function result(expression: string, auths: string[][]): string {
  try {
    const label = parseLabel(expression);
    assert.equal(toCanonicalLabel(parseLabel(toCanonicalLabel(label))), toCanonicalLabel(label));
    const sees = auths.every((held) =>
      evaluateLabel(label, new Set(held.map((attribute) => attribute.toUpperCase()))),
    );
    return sees ? 'ACCESSIBLE' : 'INACCESSIBLE';
  } catch (error) {
    if (error instanceof LabelSyntaxError) return 'ERROR';
    throw error;
  }
}

describe('the cases of the reference implementation', () => {
  for (const { description, auths, tests } of groups) {
    test(`reference: ${description}`, () => {
      for (const { expectedResult, expressions } of tests) {
        for (const expression of expressions) {
          if (differing.has(expression)) continue;
          assert.equal(result(expression, auths), expectedResult, JSON.stringify(expression));
        }
      }
    });
  }

  test('the file has all of its cases', () => {
    const counts = new Map<string, number>();
    for (const { expectedResult, expressions } of groups.flatMap((group) => group.tests)) {
      counts.set(expectedResult, (counts.get(expectedResult) ?? 0) + expressions.length);
    }
    assert.deepEqual(Object.fromEntries(counts), { ACCESSIBLE: 53, INACCESSIBLE: 34, ERROR: 106 });
  });

  test('unlike in the reference, an attribute in another case is the same attribute', () => {
    assert.equal(result('one&"tWo"', [['ONE', 'two']]), 'ACCESSIBLE');
  });
});
