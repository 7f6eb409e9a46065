import * as fc from 'fast-check';
import type { Bound, LuceneNode, PatternPart } from '../src/lucene/lucene-node.ts';
import type { RegexNode } from '../src/lucene/regex-node.ts';

/** Removes the positions of leaves, to compare trees of different texts. */
export const withoutPlaces = (tree: LuceneNode): object =>
  JSON.parse(JSON.stringify(tree, (key, value: unknown) => (key === 'at' ? undefined : value))) as object;

type Printable = ReturnType<typeof withoutPlaces>;

const escaped = (text: string): string => {
  const plain = Array.from(text, (character) =>
    /[\p{L}\p{N}]/u.test(character) ? character : `\\${character}`,
  ).join('');
  return /^(?:AND|OR|NOT)$/.test(plain) ? `\\${plain}` : plain;
};

const quoted = (text: string): string => `"${text.replaceAll(/[\\"]/g, '\\$&')}"`;

const boundText = (bound: Bound | null): string => (bound === null ? '*' : quoted(bound.text));

const partText = (part: PatternPart): string => {
  if ('text' in part) return escaped(part.text);
  return 'any' in part ? '*' : '?';
};

const characterText = (code: number): string => {
  const character = String.fromCodePoint(code);
  return /[\p{L}\p{N}\p{Cc}]/u.test(character) ? character : `\\${character}`;
};

const isOne = (node: RegexNode): boolean =>
  node.type === 'class' &&
  !node.negated &&
  node.ranges.length === 1 &&
  node.ranges[0]?.[0] === node.ranges[0]?.[1];

function regexText(node: RegexNode): string {
  switch (node.type) {
    case 'class': {
      if (node.negated && node.ranges.length === 0) return '.';
      const [first] = node.ranges;
      if (isOne(node) && first !== undefined) return characterText(first[0]);
      const members = node.ranges.map(([from, to]) =>
        from === to ? characterText(from) : `${characterText(from)}-${characterText(to)}`,
      );
      return `[${node.negated ? '^' : ''}${members.join('')}]`;
    }
    case 'sequence':
      return node.items
        .map((item) => (item.type === 'sequence' ? `(${regexText(item)})` : atomText(item)))
        .join('');
    case 'either':
      return node.options
        .map((option) => (option.type === 'either' ? `(${regexText(option)})` : regexText(option)))
        .join('|');
    case 'repeat':
      return `${atomText(node.item)}{${String(node.min)},${node.max === null ? '' : String(node.max)}}`;
  }
}

const atomText = (node: RegexNode): string =>
  node.type === 'class'
    ? regexText(node)
    : node.type === 'repeat'
      ? repeatText(node)
      : `(${regexText(node)})`;

const repeatText = (node: Extract<RegexNode, { type: 'repeat' }>): string => `(?:${regexText(node)})`;

const signs = { must: '+', should: '', mustNot: '-' };

/** Prints a tree in the classic Lucene syntax. */
export function printLucene(tree: Printable): string {
  const node = tree as LuceneNode;
  switch (node.type) {
    case 'all':
      return '*:*';
    case 'exists':
      return `_exists_:${quoted(node.field)}`;
    case 'term':
      return onField(node.field, quoted(node.text));
    case 'pattern':
      return onField(node.field, node.parts.map(partText).join(''));
    case 'regex':
      return onField(node.field, `/${regexText(node.regex)}/`);
    case 'range': {
      const [open, close] = [
        node.lower?.inclusive === true ? '[' : '{',
        node.upper?.inclusive === true ? ']' : '}',
      ];
      return onField(node.field, `${open}${boundText(node.lower)} TO ${boundText(node.upper)}${close}`);
    }
    case 'boolean':
      return node.clauses
        .map(
          ({ occur, node: inner }) =>
            signs[occur] + (inner.type === 'boolean' ? `(${printLucene(inner)})` : printLucene(inner)),
        )
        .join(' ');
  }
}

const onField = (field: string | null, text: string): string =>
  field === null ? text : `${escaped(field)}:${text}`;

const text = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom('AND', 'a b', '東京', '*', '-5', 'u0041', '"', '\\'),
  )
  .map((value) => value.toWellFormed());
const field = text.filter((value) => value !== '' && value !== '_exists_');
const anyField = fc.option(field);
const bound = fc.option(fc.record({ text, inclusive: fc.boolean() }));

const part: fc.Arbitrary<PatternPart> = fc.oneof(
  text.filter((value) => value !== '').map((value) => ({ text: value })),
  fc.constant({ any: true as const }),
  fc.constant({ one: true as const }),
);
/** Parts of a pattern in the parser's form: no adjacent texts, at least one wildcard, and not only stars. */
const parts = fc
  .array(part, { minLength: 1, maxLength: 5 })
  .filter(
    (found) =>
      found.every((value, index) => !('text' in value) || !('text' in (found[index + 1] ?? {}))) &&
      found.some((value) => !('text' in value)) &&
      !found.every((value) => 'any' in value),
  );

const code = fc.oneof(fc.integer({ min: 0, max: 0x2fff }), fc.integer({ min: 0x1f000, max: 0x1ffff }));
const codeRange = fc.tuple(code, code).map(([a, b]): [number, number] => (a < b ? [a, b] : [b, a]));
const classNode: fc.Arbitrary<RegexNode> = fc.oneof(
  code.map((one): RegexNode => ({ type: 'class', negated: false, ranges: [[one, one]] })),
  fc.constant<RegexNode>({ type: 'class', negated: true, ranges: [] }),
  fc
    .record({ negated: fc.boolean(), ranges: fc.array(codeRange, { minLength: 1, maxLength: 3 }) })
    .map((found): RegexNode => ({ type: 'class', ...found })),
);
const counts = fc
  .record({ min: fc.integer({ min: 0, max: 3 }), more: fc.option(fc.integer({ min: 0, max: 3 })) })
  .map(({ min, more }) => ({ min, max: more === null ? null : min + more }));

/** Regular expressions in the parser's form: no lists of one item, and repetitions within the limits. */
const { regex } = fc.letrec<{ regex: RegexNode }>((tie) => ({
  regex: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    classNode,
    fc
      .array(tie('regex'), { maxLength: 4 })
      .filter((items) => items.length !== 1)
      .map((items): RegexNode => ({ type: 'sequence', items })),
    fc
      .array(tie('regex'), { minLength: 2, maxLength: 3 })
      .map((options): RegexNode => ({ type: 'either', options })),
    fc.tuple(tie('regex'), counts).map(([item, found]): RegexNode => ({ type: 'repeat', item, ...found })),
  ),
}));

const leaf: fc.Arbitrary<object> = fc.oneof(
  fc.record({ type: fc.constant('term'), field: anyField, text }),
  fc.record({ type: fc.constant('pattern'), field: anyField, parts }),
  fc.record({ type: fc.constant('regex'), field: anyField, regex }),
  fc.record({ type: fc.constant('range'), field, lower: bound, upper: bound }),
  fc.record({ type: fc.constant('exists'), field: text }),
  fc.constant({ type: 'all' }),
);

/** Trees in the parser's form: no groups of one clause, unless it is a negation. */
export const { tree: luceneTrees } = fc.letrec<{ tree: object }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    leaf,
    fc
      .array(fc.record({ occur: fc.constantFrom('must', 'should', 'mustNot'), node: tie('tree') }), {
        minLength: 1,
        maxLength: 4,
      })
      .filter((clauses) => clauses.length > 1 || clauses[0]?.occur === 'mustNot')
      .map((clauses) => ({ type: 'boolean', clauses })),
  ),
}));
