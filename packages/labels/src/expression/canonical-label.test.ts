/* Shows: A-label-canonical */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { toCanonicalLabel } from './canonical-label.ts';
import { evaluateLabel, listLabelAttributes } from './evaluate-label.ts';
import { parseLabel } from './parse-label.ts';

const canonical = (text: string): string => toCanonicalLabel(parseLabel(text));

const universe = ['A', 'B', 'C', 'D D', '"\\'];
const inLabel = new Map([
  ['A', ['A', 'a', '"A"', '"a"']],
  ['B', ['B', 'b']],
  ['C', ['C', '("c")']],
  ['D D', ['"D D"', '"d D"']],
  ['"\\', ['"\\"\\\\"']],
]);

/** Every set of the universe's attributes. */
const assignments = Array.from(
  { length: 2 ** universe.length },
  (_, bits) => new Set(universe.filter((_attribute, index) => (bits >> index) & 1)),
);

interface Tree {
  readonly text: string;
  /** The meaning of the label, computed independently of its text. */
  readonly means: (attributes: ReadonlySet<string>) => boolean;
}

const joined = (trees: readonly Tree[], sign: string): string =>
  trees.map(({ text }) => (/[&|]/.test(text) ? `(${text})` : text)).join(sign);

const { tree } = fc.letrec<{ tree: Tree; leaf: Tree; and: Tree; or: Tree }>((tie) => {
  const operands = fc.array(tie('tree'), { minLength: 2, maxLength: 4 });
  return {
    tree: fc.oneof({ depthSize: 'small', withCrossShrink: true }, tie('leaf'), tie('and'), tie('or')),
    leaf: fc.constantFrom(...universe).chain((attribute) =>
      fc.constantFrom(...inLabel.get(attribute)!).map((text) => ({
        text,
        means: (attributes) => attributes.has(attribute),
      })),
    ),
    and: operands.map((trees) => ({
      text: joined(trees, '&'),
      means: (attributes) => !trees.some((tree) => !tree.means(attributes)),
    })),
    or: operands.map((trees) => ({
      text: joined(trees, '|'),
      means: (attributes) => trees.some((tree) => tree.means(attributes)),
    })),
  };
});

describe('the canonical form of a label', () => {
  const cases: [text: string, expected: string][] = [
    ['', ''],
    ['a', 'A'],
    ['((a))', 'A'],
    ['"a.b"', 'A.B'],
    ['"a b"', '"A B"'],
    [String.raw`"\"\\"`, String.raw`"\"\\"`],
    ['b&a', 'A&B'],
    ['b|a|b', 'A|B'],
    ['c&(b&a)', 'A&B&C'],
    ['(c|(a|b))|a', 'A|B|C'],
    ['(b|a)&(a|b)', 'A|B'],
    ['((b&a)|(a&b))&c', 'A&B&C'],
    ['c&(b|a)', '(A|B)&C'],
    ['(b&a)|c', '(A&B)|C'],
    ['"a&b"&c', '"A&B"&C'],
    ['a&(a|b)', 'A&(A|B)'],
  ];
  for (const [text, expected] of cases) {
    test(`canonical: ${JSON.stringify(text)} becomes ${JSON.stringify(expected)}`, () => {
      assert.equal(canonical(text), expected);
      assert.equal(canonical(expected), expected);
    });
  }

  test('the canonical form means the same as the label, for every reader', () => {
    fc.assert(
      fc.property(tree, ({ text, means }) => {
        const label = parseLabel(text);
        const again = parseLabel(toCanonicalLabel(label));
        for (const attributes of assignments) {
          assert.equal(evaluateLabel(label, attributes), means(attributes), text);
          assert.equal(evaluateLabel(again, attributes), means(attributes), text);
        }
        assert.deepEqual(listLabelAttributes(again), listLabelAttributes(label));
      }),
      { numRuns: 500 },
    );
  });

  test('the canonical form of a canonical form is itself, and is no longer than the label', () => {
    fc.assert(
      fc.property(tree, ({ text }) => {
        const first = canonical(text);
        assert.equal(canonical(first), first);
        assert.ok(first.length <= text.length);
      }),
      { numRuns: 500 },
    );
  });

  test('operands may be reordered, regrouped and repeated without changing the canonical form', () => {
    fc.assert(
      fc.property(
        tree,
        tree,
        tree,
        fc.constantFrom('&', '|'),
        ({ text: a }, { text: b }, { text: c }, sign) => {
          const join = (...texts: string[]): string => texts.map((text) => `(${text})`).join(sign);
          const expected = canonical(join(a, b, c));
          assert.equal(canonical(join(c, b, a)), expected);
          assert.equal(canonical(join(a, join(b, c))), expected);
          assert.equal(canonical(join(join(b, a), c, b, join(a, a))), expected);
        },
      ),
    );
  });

  test('a label at the limits of depth and length has a canonical form that can be parsed', () => {
    let deep = 'A';
    for (let depth = 0; depth < 100; depth += 1) deep = `(${deep})${depth % 2 === 0 ? '&' : '|'}B${depth}`;
    assert.equal(canonical(canonical(deep)), canonical(deep));
    const long = Array.from({ length: 1_400 }, (_, index) => `"${1_000 + index}"`).join('&');
    assert.equal(canonical(long), long.replaceAll('"', ''));
  });
});
