import * as fc from 'fast-check';
import type { RecordText } from './records.ts';

/** Attributes that random labels name. */
export const tokens = ['RED', 'GREEN', 'BLUE'] as const;

interface RandomLabel {
  text: string;
  /** Whether these attributes satisfy the label. Does not use the product's own evaluation. */
  isSatisfiedBy: (held: readonly string[]) => boolean;
}

const none: RandomLabel = { text: '', isSatisfiedBy: () => true };
const one = (token: string): RandomLabel => ({ text: token, isSatisfiedBy: (held) => held.includes(token) });
const both = (a: RandomLabel, b: RandomLabel): RandomLabel => ({
  text: `(${a.text})&(${b.text})`,
  isSatisfiedBy: (held) => a.isSatisfiedBy(held) && b.isSatisfiedBy(held),
});
const either = (a: RandomLabel, b: RandomLabel): RandomLabel => ({
  text: `(${a.text})|(${b.text})`,
  isSatisfiedBy: (held) => a.isSatisfiedBy(held) || b.isSatisfiedBy(held),
});

const simple = fc.constantFrom(...tokens).map(one);
const label: fc.Arbitrary<RandomLabel> = fc.oneof(
  fc.constant(none),
  simple,
  fc.tuple(simple, simple).map(([a, b]) => both(a, b)),
  fc.tuple(simple, simple).map(([a, b]) => either(a, b)),
  fc.tuple(simple, simple, simple).map(([a, b, c]) => both(a, either(b, c))),
);

const words = [
  'fox',
  'Red fox',
  'quick brown fox',
  'ÉCOLE',
  'naïve fox',
  '東京都',
  'a-b',
  '---',
  '',
  'true',
  '42',
];
const dates = ['2024-01-05', '2024-01-05T10:00:00Z', '2024-02-01T00:00:00+02:00', '1969-12-31'];
const numbers = [
  '0',
  '1',
  '1.0',
  '-1',
  '42',
  '1.5',
  '1e3',
  '-0.0',
  '9007199254740993',
  '18446744073709551615',
];
const beyond = ['1e400', '99999999999999999999', '-1e400', '1e-400'];
const keys = ['f', 'g', 'h', 'g.x', 'F'];

const scalar = fc.oneof(
  fc.constantFrom(...words, ...dates).map((text) => JSON.stringify(text)),
  fc.constantFrom(...numbers),
  fc.constantFrom(...beyond),
  fc.constantFrom('true', 'false', 'null'),
);
const { value } = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    tie('object'),
  ),
  object: fc
    .uniqueArray(fc.tuple(fc.constantFrom('x', 'y', 'f'), tie('value')), {
      maxLength: 2,
      selector: ([key]) => key,
    })
    .map((members) => `{${members.map(([key, text]) => `"${key}":${text}`).join(',')}}`),
}));

export interface RandomRecord {
  label: RandomLabel;
  text: RecordText;
}

/** Records with a distinct number in the field `i`. */
export const randomRecords = (count: number, seed: number): RandomRecord[] => {
  const members = fc.uniqueArray(fc.tuple(fc.constantFrom(...keys), value), {
    maxLength: 4,
    selector: ([key]) => key,
  });
  return fc.sample(fc.tuple(label, members), { numRuns: count, seed }).map(([label, fields], index) => ({
    label,
    text: `{"i":${index},${fields.map(([key, text]) => `"${key}":${text},`).join('')}"label":"${label.text}"}`,
  }));
};

const quoted = fc.constantFrom(...words, ...dates, ...numbers, ...beyond).map((text) => `"${text}"`);
const bare = fc.constantFrom(
  'fox',
  'red',
  'brown',
  'école',
  '東京',
  '42',
  '1',
  '1.5',
  '-1',
  'true',
  'nothing',
);
const pattern = fc.constantFrom(
  'fo*',
  '*ox',
  'f?x',
  '4*',
  '*',
  'r*d',
  '/f.x/',
  '/[0-9]+/',
  '/.*o.*/',
  '/(a|b)+/',
);
const path = fc.constantFrom('f', 'g', 'h', 'g.x', 'g.y', 'f.x', 'h.f.x', 'F', 'nowhere');
const bound = fc.constantFrom(
  '*',
  '0',
  '1',
  '42',
  '1.5',
  '1e300',
  '9007199254740993',
  '2024-01-05',
  '2024-01',
  'a',
  'g',
  '"red fox"',
);
const range = fc
  .tuple(fc.constantFrom('[', '{'), bound, bound, fc.constantFrom(']', '}'))
  .map(([open, from, to, close]) => `${open}${from} TO ${to}${close}`);
const leaf = fc.oneof(
  fc.oneof(quoted, bare, pattern),
  fc.tuple(path, fc.oneof(quoted, bare, pattern, range)).map(([field, text]) => `${field}:${text}`),
  path.map((field) => `_exists_:${field}`),
  fc
    .tuple(path, fc.constantFrom('>', '>=', '<', '<='), fc.constantFrom('0', '42', '2024-01-05', 'fox'))
    .map(([field, operator, text]) => `${field}:${operator}${text}`),
);
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf,
    fc
      .tuple(tie('expression'), fc.constantFrom(' AND ', ' OR ', ' ', ' AND NOT '), tie('expression'))
      .map((parts) => parts.join('')),
    tie('expression').map((inner) => `(${inner})`),
    tie('expression').map((inner) => `NOT (${inner})`),
    fc.tuple(fc.constantFrom('+', '-'), leaf).map((parts) => parts.join('')),
  ),
}));
const characters = String.raw`f : " [ ] { } ( ) / * ? + - ! ~ ^ \ T O A N D 1 9 é`.split(' ');
const anything = fc.string({ unit: fc.constantFrom(' ', ...characters), maxLength: 12 });

/** Searches. Most of them are valid. */
export const randomExpressions = (count: number, seed: number): string[] =>
  fc.sample(fc.oneof({ weight: 9, arbitrary: expression }, { weight: 1, arbitrary: anything }), {
    numRuns: count,
    seed,
  });
