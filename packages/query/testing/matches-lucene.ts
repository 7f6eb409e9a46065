import type { BooleanNode, LuceneNode, PatternPart } from '../src/lucene/lucene-node.ts';
import type { RegexNode } from '../src/lucene/regex-node.ts';
import { splitPattern } from '../src/lucene/token-pattern.ts';
import { tokensOf } from '../src/lucene/tokens.ts';
import { equalNumbers, isInRange } from '../src/highlight/compare-values.ts';
import { recordLeaves, type Leaf, type RecordLeaves } from '../src/highlight/record-leaves.ts';

/**
 * Whether a record, given as JSON text, matches a search. It is the reference implementation with which tests compare
 * `compileSearch`, and evaluates the search directly.
 */
export const matchesLucene = (tree: LuceneNode, record: string): boolean =>
  matchesNode(tree, recordLeaves(record));

function matchesNode(tree: LuceneNode, record: RecordLeaves): boolean {
  switch (tree.type) {
    case 'all':
      return true;
    case 'boolean':
      return matchesBoolean(tree, record);
    case 'exists':
      return record.present.has(tree.field);
    case 'range': {
      if (tree.lower === null && tree.upper === null) return record.present.has(tree.field);
      return record.leaves.some((leaf) => leaf.path === tree.field && isInRange(tree, leaf));
    }
    case 'term':
      return matchesLeaf(tree.field, record, (leaf) => matchesTerm(tree.field !== null, tree.text, leaf));
    case 'pattern':
      return matchesLeaf(tree.field, record, (leaf) => matchesPattern(tree.field !== null, tree.parts, leaf));
    case 'regex':
      return matchesLeaf(tree.field, record, (leaf) => matchesRegex(tree.field !== null, tree.regex, leaf));
  }
}

const matchesLeaf = (
  field: string | null,
  { leaves }: RecordLeaves,
  test: (leaf: Leaf) => boolean,
): boolean => leaves.some((leaf) => (field === null || leaf.path === field) && test(leaf));

function matchesBoolean({ clauses }: BooleanNode, record: RecordLeaves): boolean {
  const results = clauses.map(({ occur, node }) => ({ occur, matched: matchesNode(node, record) }));
  const of = (occur: string): boolean[] =>
    results.flatMap((result) => (result.occur === occur ? [result.matched] : []));
  const optional = of('must').length > 0 || of('should').length === 0 || of('should').includes(true);
  return !of('must').includes(false) && !of('mustNot').includes(true) && optional;
}

const leafTokens = (leaf: Leaf): string[] => tokensOf(leaf.type === 'number' ? leaf.source : leaf.text);

/** Whether consecutive tokens satisfy all tests in order. */
const inARow = (tests: ((token: string) => boolean)[], tokens: string[]): boolean =>
  tests.length > 0 &&
  tokens.some((_, start) =>
    tests.every((test, index) => {
      const token = tokens[start + index];
      return token !== undefined && test(token);
    }),
  );

function matchesTerm(onField: boolean, text: string, leaf: Leaf): boolean {
  const wanted = tokensOf(text);
  const hasPhrase = inARow(
    wanted.map((token) => (found) => found === token),
    leafTokens(leaf),
  );
  if (!onField) return hasPhrase;
  if (leaf.type === 'number') return equalNumbers(leaf.source, text);
  return wanted.length === 0 ? leaf.type === 'text' && leaf.text === text : hasPhrase;
}

const codeText = (code: number): string => `\\u{${code.toString(16)}}`;
const escapeText = (text: string): string =>
  Array.from(text, (character) => codeText(character.codePointAt(0) ?? 0)).join('');

const partText = (part: PatternPart): string => {
  if ('text' in part) return escapeText(part.text);
  return 'any' in part ? '.*' : '.';
};

const whole = (source: string): RegExp => new RegExp(`^(?:${source})$`, 'isu');

function matchesPattern(onField: boolean, parts: PatternPart[], leaf: Leaf): boolean {
  const tests = splitPattern(parts).map((piece) => {
    const pattern = new RegExp(`^(?:${piece.map(partText).join('')})$`, 'su');
    return (token: string) => pattern.test(token);
  });
  if (inARow(tests, leafTokens(leaf))) return true;
  return onField && whole(parts.map(partText).join('')).test(leaf.text);
}

function matchesRegex(onField: boolean, regex: RegexNode, leaf: Leaf): boolean {
  const pattern = whole(regexSource(regex));
  return leafTokens(leaf).some((token) => pattern.test(token)) || (onField && pattern.test(leaf.text));
}

function regexSource(node: RegexNode): string {
  switch (node.type) {
    case 'class':
      return `[${node.negated ? '^' : ''}${node.ranges.map(([from, to]) => `${codeText(from)}-${codeText(to)}`).join('')}]`;
    case 'sequence':
      return node.items.map((item) => `(?:${regexSource(item)})`).join('');
    case 'either':
      return node.options.map((option) => `(?:${regexSource(option)})`).join('|');
    case 'repeat':
      return `(?:${regexSource(node.item)}){${String(node.min)},${node.max === null ? '' : String(node.max)}}`;
  }
}
