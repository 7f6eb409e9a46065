import type { BooleanNode, LuceneNode, PatternPart } from '../lucene/lucene-node.ts';
import type { RegexNode } from '../lucene/regex-node.ts';
import { splitPattern } from '../lucene/token-pattern.ts';
import { tokensOf, type TokenSpan } from '../lucene/tokens.ts';
import { equalNumbers, isInRange } from './compare-values.ts';
import { createMatcher, wildcardNode } from './match-pattern.ts';
import { recordLeaves, type Leaf } from './record-leaves.ts';
import { spendSteps, stepsUsedUp, type StepBudget } from './step-budget.ts';
import { textTokens } from './text-tokens.ts';

/** Records with a larger JSON text are not searched for places. */
const maxHighlightedBytes = 256 * 1024;
/** The maximum number of steps of one highlighter, less than a second of work. */
const maxSteps = 4_000_000;
/** The maximum number of steps of a record. The caller lets others run between records, so each takes about 50 ms at most. */
const maxRecordSteps = 500_000;
/** How many bytes of a record are parsed in the time of a step. */
const bytesPerStep = 16;

/** A part of a value that a search matched. */
interface HighlightPlace {
  /** The field as in searches: keys joined with ".". */
  field: string;
  /** Where the value is in the record: the keys of objects, and the indexes of arrays. */
  path: readonly (number | string)[];
  /** The first UTF-16 code unit in the text of the value. */
  offset: number;
  length: number;
}

export interface RecordHighlights {
  places: HighlightPlace[];
  /** Whether `places` has all places of the record. */
  complete: boolean;
}

/** A matched part of a value. */
interface Span {
  leaf: number;
  from: number;
  until: number;
}

/** A record during a search. */
interface Candidate {
  leaves: readonly Leaf[];
  present: ReadonlySet<string>;
  tokens(leaf: number): readonly TokenSpan[];
  budget: StepBudget;
}

/** Returns the matched parts, or undefined if the record does not match. */
type Search = (record: Candidate) => Span[] | undefined;
/** Returns the matched parts of one value, or undefined if it does not match. */
type LeafSearch = (leaf: Leaf, tokens: () => readonly TokenSpan[], budget: StepBudget) => Range[] | undefined;
type Range = Omit<Span, 'leaf'>;
type TokenTest = (token: string, budget: StepBudget) => boolean;

const sourceOf = (leaf: Leaf): string => (leaf.type === 'number' ? leaf.source : leaf.text);
const wholeValue = (leaf: Leaf): Range[] => [{ from: 0, until: sourceOf(leaf).length }];

/** Members that responses add to records; searches do not find them. */
const isInternal = ({ keys: [first] }: Leaf): boolean =>
  typeof first === 'string' && first.startsWith('_koverse_');

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Returns a function that finds the places in a matching record that a search matched, by the rules of `compileLucene`.
 * Only the clauses that match have places. A record that takes too many steps has no places and is not complete. The
 * steps of all records together have a maximum, too.
 * @param maxPlaces the maximum number of places of a record
 * @returns a function of the JSON text of a record, in UTF-8
 */
export function createHighlighter(
  tree: LuceneNode,
  maxPlaces: number,
): (record: Uint8Array) => RecordHighlights {
  const search = compileSearch(tree);
  let left = maxSteps;
  return (record) => {
    if (record.length > maxHighlightedBytes || left <= 0) return { places: [], complete: false };
    const allowed = Math.min(left, maxRecordSteps);
    const budget = { left: allowed };
    try {
      const candidate = createCandidate(utf8.decode(record), budget);
      return toPlaces(search(candidate) ?? [], candidate.leaves, maxPlaces);
    } catch (error) {
      if (error !== stepsUsedUp) throw error;
      return { places: [], complete: false };
    } finally {
      left -= allowed - budget.left;
    }
  };
}

/** Whether a record, as JSON text, matches a search. */
export const isHighlighted = (tree: LuceneNode, record: string): boolean =>
  compileSearch(tree)(createCandidate(record, { left: maxSteps })) !== undefined;

function createCandidate(record: string, budget: StepBudget): Candidate {
  spendSteps(budget, record.length / bytesPerStep);
  const { leaves, present } = recordLeaves(record);
  const found: TokenSpan[][] = [];
  return {
    leaves,
    present,
    budget,
    tokens: (leaf) => {
      const value = leaves[leaf];
      return (found[leaf] ??= value === undefined ? [] : textTokens(sourceOf(value)));
    },
  };
}

function toPlaces(spans: readonly Span[], leaves: readonly Leaf[], maxPlaces: number): RecordHighlights {
  const sorted = spans.toSorted((a, b) => a.leaf - b.leaf || a.from - b.from || b.until - a.until);
  const merged: Span[] = [];
  for (const span of sorted) {
    const last = merged.at(-1);
    if (span.until === span.from) continue;
    if (last === undefined || last.leaf !== span.leaf || span.from >= last.until) merged.push({ ...span });
    else last.until = Math.max(last.until, span.until);
  }
  const places = merged.slice(0, maxPlaces).flatMap(({ leaf, from, until }) => {
    const value = leaves[leaf];
    if (value === undefined) return [];
    return [{ field: value.path, path: value.keys, offset: from, length: until - from }];
  });
  return { places, complete: merged.length <= maxPlaces };
}

function compileSearch(tree: LuceneNode): Search {
  switch (tree.type) {
    case 'all':
      return () => [];
    case 'boolean':
      return compileBoolean(tree);
    case 'exists':
      return ({ present }) => (present.has(tree.field) ? [] : undefined);
    case 'range':
      return tree.lower === null && tree.upper === null
        ? ({ present }) => (present.has(tree.field) ? [] : undefined)
        : onLeaves(tree.field, (leaf) => (isInRange(tree, leaf) ? wholeValue(leaf) : undefined));
    case 'term':
      return onLeaves(tree.field, searchTerm(tree.field !== null, tree.text));
    case 'pattern':
      return onLeaves(tree.field, searchPattern(tree.field !== null, tree.parts));
    case 'regex':
      return onLeaves(tree.field, searchRegex(tree.field !== null, tree.regex));
  }
}

function compileBoolean({ clauses }: BooleanNode): Search {
  const compiled = clauses.map(({ occur, node }) => ({ occur, search: compileSearch(node) }));
  const of = (wanted: string): Search[] =>
    compiled.flatMap(({ occur, search }) => (occur === wanted ? [search] : []));
  const [must, should, mustNot] = [of('must'), of('should'), of('mustNot')];
  return (record) => {
    const needed = must.map((search) => search(record));
    if (needed.includes(undefined)) return undefined;
    if (mustNot.some((search) => search(record) !== undefined)) return undefined;
    const optional = should.map((search) => search(record)).filter((spans) => spans !== undefined);
    if (must.length === 0 && should.length > 0 && optional.length === 0) return undefined;
    return [...needed, ...optional].flatMap((spans) => spans ?? []);
  };
}

/** Searches all values, or those of one field. */
const onLeaves =
  (field: string | null, search: LeafSearch): Search =>
  ({ leaves, tokens, budget }) => {
    let spans: Span[] | undefined;
    for (const [index, leaf] of leaves.entries()) {
      if ((field !== null && leaf.path !== field) || isInternal(leaf)) continue;
      spendSteps(budget, 1 + sourceOf(leaf).length / bytesPerStep);
      const ranges = search(leaf, () => tokens(index), budget);
      if (ranges === undefined) continue;
      spans ??= [];
      for (const range of ranges) spans.push({ leaf: index, ...range });
    }
    return spans;
  };

/** Finds consecutive tokens that satisfy all tests in order. */
function findTokens(
  tests: readonly TokenTest[],
  tokens: readonly TokenSpan[],
  budget: StepBudget,
): Range[] | undefined {
  if (tests.length === 0) return undefined;
  const ranges: Range[] = [];
  for (let start = 0; start + tests.length <= tokens.length; start++) {
    const isMatch = tests.every((test, index) => {
      spendSteps(budget, 1);
      return test(tokens[start + index]?.token ?? '', budget);
    });
    const [first, last] = [tokens[start], tokens[start + tests.length - 1]];
    if (isMatch && first !== undefined && last !== undefined)
      ranges.push({ from: first.from, until: last.until });
  }
  return ranges.length === 0 ? undefined : ranges;
}

function searchTerm(isOnField: boolean, text: string): LeafSearch {
  const wanted = tokensOf(text);
  const tests = wanted.map(
    (token): TokenTest =>
      (found) =>
        found === token,
  );
  return (leaf, tokens, budget) => {
    if (isOnField && leaf.type === 'number')
      return equalNumbers(leaf.source, text) ? wholeValue(leaf) : undefined;
    if (isOnField && wanted.length === 0)
      return leaf.type === 'text' && leaf.text === text ? wholeValue(leaf) : undefined;
    return findTokens(tests, tokens(), budget);
  };
}

function searchPattern(isOnField: boolean, parts: readonly PatternPart[]): LeafSearch {
  const tests = splitPattern(parts).map((tokenParts) => createMatcher(wildcardNode(tokenParts), false));
  const whole = createMatcher(wildcardNode(parts), true);
  return (leaf, tokens, budget) =>
    findTokens(tests, tokens(), budget) ??
    (isOnField && whole(leaf.text, budget) ? wholeValue(leaf) : undefined);
}

function searchRegex(isOnField: boolean, regex: RegexNode): LeafSearch {
  const matches = createMatcher(regex, true);
  return (leaf, tokens, budget) =>
    findTokens([matches], tokens(), budget) ??
    (isOnField && matches(leaf.text, budget) ? wholeValue(leaf) : undefined);
}
