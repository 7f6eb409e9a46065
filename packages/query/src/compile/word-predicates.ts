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

/** The index is asked for this many tokens of a phrase, the longest: the exact test follows. */
const mostIndexTokens = 8;

/** A token that could be the number of a path. */
const looksLikePathId = (token: string): boolean => /^\d{1,10}$/.test(token);

/** Kinds of which texts are kept, and of which numbers are. */
const textKinds: readonly Kind[] = [kinds.boolean, kinds.text, kinds.timestamp, kinds.element];
const numberKinds: readonly Kind[] = [kinds.integer, kinds.float, kinds.big, kinds.element];
/** What the tokens of numbers are made of: digits, and the letter before an exponent. */
const mayBeOfNumber = (token: string): boolean => /^[0-9e]+$/.test(token);

const seenAt = ({ kinds: seen }: PathEntry, wanted: readonly Kind[]): boolean =>
  wanted.some((kind) => (seen & kindBit(kind)) !== 0);

/** The markers of the segments in which a token can stand. */
const markersOf = (place: PathEntry, token: string): string[] => [
  ...(seenAt(place, textKinds) ? [textMarker(place.pathId)] : []),
  ...(seenAt(place, numberKinds) && mayBeOfNumber(token) ? [numberMarker(place.pathId)] : []),
];

const lookUpByPath = `hasAny(${wordsByPath}, `;

/** The rows that hold a token in one of the segments with these markers, by the index of words by path. */
const holdsMarked = (token: string, markers: readonly string[]): string =>
  markers.length === 0
    ? falseLiteral
    : `${lookUpByPath}[${markers.map((marker) => quoteString(token + marker)).join(', ')}])`;

const longestOf = (tokens: readonly string[]): string[] =>
  [...new Set(tokens)].toSorted((a, b) => b.length - a.length).slice(0, mostIndexTokens);

/**
 * The rows that hold all these tokens anywhere, by the index. Where the engine cannot use it, as in tables with patches,
 * it cuts `words` its own way and finds the path ids of markers as well; so a number is looked for between spaces, too.
 * @param places the paths to look at, where the index of words by path is to be asked: what stands elsewhere is not read then
 */
export const compileContainsTokens = (tokens: readonly string[], places?: readonly PathEntry[]): string => {
  const longest = longestOf(tokens);
  if (places !== undefined) {
    return allOf(
      longest.map((token) =>
        holdsMarked(
          token,
          places.flatMap((place) => markersOf(place, token)),
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
 * `words` without the segments of hidden paths. A path that got its number later than the others were looked up is left
 * out as well: it may be hidden.
 */
function visibleWords(hidden: NonNullable<HiddenPathIds>): string {
  const isHidden = `arrayExists(path -> ${compileHiddenPathPredicate(hidden)}, [toUInt32OrZero(extract(part, '^[0-9]+'))])`;
  return `arrayStringConcat(arrayFilter(part -> NOT ${isHidden}, splitByChar('\\x01', ${words})), '\\x01')`;
}

/** The rows of which one value that the reader sees matches a RE2 pattern over tokens in a row. */
function matchesVisible(pattern: string, hidden: NonNullable<HiddenPathIds>, caseless: boolean): string {
  if (hidden.known - hidden.ids.length <= maxListedPaths) {
    const without = new Set(hidden.ids);
    const visible = upTo(hidden.known).filter((id) => !without.has(id));
    if (visible.length === 0) return falseLiteral;
    return compileWordPatternAtPath(`\u0001(?:${visible.join('|')})[\u0002\u0003]`, pattern, caseless);
  }
  const literal = quoteString(`${caseless ? '(?i)' : ''} ${pattern} `);
  return allOf([`match(${words}, ${literal})`, `match(${visibleWords(hidden)}, ${literal})`]);
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, id) => id);

/** The rows of which one value has these tokens in a row. The index names more rows where it knows of hidden paths. */
export const compileContainsPhrase = (tokens: readonly string[], hidden: HiddenPathIds): string => {
  if (hidden !== undefined) {
    const { places } = hidden;
    const inOne = compileContainsTokens(tokens, places);
    if (places !== undefined && tokens.length === 1) return inOne;
    return allOf([inOne, matchesVisible(tokens.map(escapeRe2).join(' '), hidden, false)]);
  }
  return tokens.length === 1
    ? compileContainsTokens(tokens)
    : allOf([
        compileContainsTokens(tokens),
        `position(${words}, ${quoteString(` ${tokens.join(' ')} `)}) > 0`,
      ]);
};

/** The rows of which one text or boolean at the path has these tokens in a row. */
export const compileContainsPhraseAtPath = (path: SearchPath, tokens: readonly string[]): string => {
  const inText = compileWordPatternAtPath(textMarker(path.pathId), tokens.map(escapeRe2).join(' '));
  if (path.places === undefined) return allOf([compileContainsTokens(tokens), inText]);
  const each = longestOf(tokens).map((token) => holdsMarked(token, [textMarker(path.pathId)]));
  return allOf(tokens.length === 1 ? each : [...each, inText]);
};

/** The rows of which one value matches a RE2 pattern over tokens in a row. */
export const compileWordPattern = (pattern: string, hidden: HiddenPathIds, caseless = false): string =>
  hidden === undefined
    ? `match(${words}, ${quoteString(`${caseless ? '(?i)' : ''} ${pattern} `)})`
    : matchesVisible(pattern, hidden, caseless);

/** The same for one segment; the marker begins it, and the next begins with \x01, which nothing here can cross. */
export const compileWordPatternAtPath = (marker: string, pattern: string, caseless = false): string =>
  `match(${words}, ${quoteString(`${caseless ? '(?i)' : ''}${marker} (?:[^\u0001]* )?${pattern} `)})`;

/** Whether a condition is one look-up in an index of words, and nothing beside it. */
export const isIndexLookup = (condition: string): boolean =>
  ['hasAllTokens(', lookUpByPath].some((start) => condition.startsWith(start));

/** Conditions of which one is to hold, with those that are look-ups by path made one: each costs the engine some milliseconds to plan. */
export function mergeIndexLookups(conditions: readonly string[]): readonly string[] {
  const isByPath = (condition: string): boolean => condition.startsWith(lookUpByPath);
  const lists = conditions.filter(isByPath).map((condition) => condition.slice(lookUpByPath.length + 1, -2));
  if (lists.length < 2) return conditions;
  return [`${lookUpByPath}[${lists.join(', ')}])`, ...conditions.filter((condition) => !isByPath(condition))];
}

/** The marker of texts, booleans and numbers at the path, as RE2. */
export const anyMarker = ({ pathId, has }: SearchPath): string => {
  const hasNumbers = has(kinds.integer, kinds.float, kinds.big, kinds.element);
  const hasTexts = has(kinds.boolean, kinds.text, kinds.timestamp, kinds.element);
  if (!hasNumbers) return textMarker(pathId);
  return hasTexts ? `\u0001${String(pathId)}[\u0002\u0003]` : numberMarker(pathId);
};
