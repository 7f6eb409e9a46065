import {
  kindBit,
  kinds,
  numberMarker,
  recordColumns,
  textMarker,
  wordsByPath,
  type Kind,
} from '../storage/record-columns.ts';
import { quoteString } from '../storage/quoting.ts';
import { compileHiddenPathPredicate } from './hidden-path-predicate.ts';
import { escapeRe2 } from './re2.ts';
import { allOf, falseLiteral } from './predicate.ts';
import { maxListedPaths, type HiddenPathIds } from './visible-paths.ts';
import type { SearchPath } from './path.ts';
import type { PathEntry } from './search-types.ts';

const { words } = recordColumns;

/**
 * The maximum number of tokens of a phrase to look up in the index. An exact predicate then checks the whole phrase.
 */
const maxIndexTokens = 8;

/** Whether a token could be a path id. */
const looksLikePathId = (token: string): boolean => /^\d{1,10}$/.test(token);

/** The kinds whose tokens are in text segments, and those in number segments. */
const textKinds: readonly Kind[] = [kinds.boolean, kinds.text, kinds.timestamp, kinds.element];
const numberKinds: readonly Kind[] = [kinds.integer, kinds.float, kinds.big, kinds.element];
/** Whether a token could be part of a number: digits and the `e` of an exponent. */
const canBeInNumber = (token: string): boolean => /^[0-9e]+$/.test(token);

const hasKind = ({ kinds: seen }: PathEntry, wanted: readonly Kind[]): boolean =>
  wanted.some((kind) => (seen & kindBit(kind)) !== 0);

/** The markers of the segments of a path that can contain a token. */
const markersOf = (entry: PathEntry, token: string): string[] => [
  ...(hasKind(entry, textKinds) ? [textMarker(entry.pathId)] : []),
  ...(hasKind(entry, numberKinds) && canBeInNumber(token) ? [numberMarker(entry.pathId)] : []),
];

const lookupByPath = `hasAny(${wordsByPath}, `;

/** Finds a token in a segment with one of these markers, in the word index by path. */
const compileLookupByPath = (token: string, markers: readonly string[]): string =>
  markers.length === 0
    ? falseLiteral
    : `${lookupByPath}[${markers.map((marker) => quoteString(token + marker)).join(', ')}])`;

const longestOf = (tokens: readonly string[]): string[] =>
  [...new Set(tokens)].toSorted((a, b) => b.length - a.length).slice(0, maxIndexTokens);

/**
 * Compiles the predicate that a row has all these tokens in any order, by a word index. On tables with patches, the
 * engine cannot use the index and splits `words` itself, which also finds the path ids inside markers. So for a token
 * that could be a path id, a second condition finds it between spaces.
 * @param indexedPaths the paths to search in the word index by path; if undefined, the word index over all paths is
 *   used
 */
export const compileContainsTokens = (
  tokens: readonly string[],
  indexedPaths?: readonly PathEntry[],
): string => {
  const longest = longestOf(tokens);
  if (indexedPaths !== undefined) {
    return allOf(
      longest.map((token) =>
        compileLookupByPath(
          token,
          indexedPaths.flatMap((entry) => markersOf(entry, token)),
        ),
      ),
    );
  }
  return allOf([
    `hasAllTokens(${words}, [${longest.map(quoteString).join(', ')}])`,
    ...longest.filter(looksLikePathId).map((token) => `position(${words}, ${quoteString(` ${token} `)}) > 0`),
  ]);
};

/**
 * The column `words` without the segments of hidden paths. Paths that are newer than the list are removed as well,
 * because they may be hidden.
 */
function visibleWords(hidden: NonNullable<HiddenPathIds>): string {
  const isHidden = `arrayExists(path -> ${compileHiddenPathPredicate(hidden)}, [toUInt32OrZero(extract(part, '^[0-9]+'))])`;
  return `arrayStringConcat(arrayFilter(part -> NOT ${isHidden}, splitByChar('\\x01', ${words})), '\\x01')`;
}

/** Compiles the predicate that consecutive tokens of one visible value match an RE2 pattern. */
function compileVisibleWordPattern(
  pattern: string,
  hidden: NonNullable<HiddenPathIds>,
  caseless: boolean,
): string {
  if (hidden.known - hidden.ids.length <= maxListedPaths) {
    const hiddenIds = new Set(hidden.ids);
    const visible = upTo(hidden.known).filter((id) => !hiddenIds.has(id));
    if (visible.length === 0) return falseLiteral;
    return compileWordPatternAtPath(`\u0001(?:${visible.join('|')})[\u0002\u0003]`, pattern, caseless);
  }
  const literal = quoteString(`${caseless ? '(?i)' : ''} ${pattern} `);
  return allOf([`match(${words}, ${literal})`, `match(${visibleWords(hidden)}, ${literal})`]);
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, id) => id);

/**
 * Compiles the predicate that one visible value contains these tokens consecutively. The index over all paths also
 * finds rows with the tokens in hidden values, so for a reader with hidden paths an exact predicate follows.
 */
export const compileContainsPhrase = (tokens: readonly string[], hidden: HiddenPathIds): string => {
  if (hidden !== undefined) {
    const { indexedPaths } = hidden;
    const lookup = compileContainsTokens(tokens, indexedPaths);
    if (indexedPaths !== undefined && tokens.length === 1) return lookup;
    return allOf([lookup, compileVisibleWordPattern(tokens.map(escapeRe2).join(' '), hidden, false)]);
  }
  return tokens.length === 1
    ? compileContainsTokens(tokens)
    : allOf([
        compileContainsTokens(tokens),
        `position(${words}, ${quoteString(` ${tokens.join(' ')} `)}) > 0`,
      ]);
};

/** Compiles the predicate that one text or boolean at the path contains these tokens consecutively. */
export const compileContainsPhraseAtPath = (path: SearchPath, tokens: readonly string[]): string => {
  const inText = compileWordPatternAtPath(textMarker(path.pathId), tokens.map(escapeRe2).join(' '));
  if (path.indexedPaths === undefined) return allOf([compileContainsTokens(tokens), inText]);
  const each = longestOf(tokens).map((token) => compileLookupByPath(token, [textMarker(path.pathId)]));
  return allOf(tokens.length === 1 ? each : [...each, inText]);
};

/** Compiles the predicate that consecutive tokens of one visible value match an RE2 pattern. */
export const compileWordPattern = (pattern: string, hidden: HiddenPathIds, caseless = false): string =>
  hidden === undefined
    ? `match(${words}, ${quoteString(`${caseless ? '(?i)' : ''} ${pattern} `)})`
    : compileVisibleWordPattern(pattern, hidden, caseless);

/**
 * Like `compileWordPattern`, for segments with one marker. The next segment starts with \x01, so a match ends before
 * it.
 */
export const compileWordPatternAtPath = (marker: string, pattern: string, caseless = false): string =>
  `match(${words}, ${quoteString(`${caseless ? '(?i)' : ''}${marker} (?:[^\u0001]* )?${pattern} `)})`;

/** Whether a condition is a single lookup in a word index. */
export const isIndexLookup = (condition: string): boolean =>
  ['hasAllTokens(', lookupByPath].some((start) => condition.startsWith(start));

/**
 * Merges all lookups by path in a list of OR conditions into one, because each takes the engine milliseconds to plan.
 */
export function mergeIndexLookups(conditions: readonly string[]): readonly string[] {
  const isByPath = (condition: string): boolean => condition.startsWith(lookupByPath);
  const lists = conditions.filter(isByPath).map((condition) => condition.slice(lookupByPath.length + 1, -2));
  if (lists.length < 2) return conditions;
  return [`${lookupByPath}[${lists.join(', ')}])`, ...conditions.filter((condition) => !isByPath(condition))];
}

/** The marker of text and number segments at the path, as an RE2 pattern. */
export const anyMarker = ({ pathId, has }: SearchPath): string => {
  const hasNumbers = has(kinds.integer, kinds.float, kinds.big, kinds.element);
  const hasTexts = has(kinds.boolean, kinds.text, kinds.timestamp, kinds.element);
  if (!hasNumbers) return textMarker(pathId);
  return hasTexts ? `\u0001${String(pathId)}[\u0002\u0003]` : numberMarker(pathId);
};
