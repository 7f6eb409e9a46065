import { kinds, numberMarker, recordColumns, textMarker } from '../storage/record-columns.ts';
import { quoteString } from '../storage/quoting.ts';
import { hiddenPathTest } from './hidden-path-test.ts';
import { escapeRe2 } from './re2.ts';
import { allOf, never } from './predicate.ts';
import type { HiddenPaths } from './visible-paths.ts';
import type { SearchPath } from './path.ts';

const { words } = recordColumns;

/** The index is asked for this many tokens of a phrase, the longest: the exact test follows. */
const mostIndexTokens = 8;

/** A token that could be the number of a path. */
const looksLikePathId = (token: string): boolean => /^\d{1,10}$/.test(token);

/**
 * The rows that hold all these tokens anywhere, by the index. Where the engine cannot use it, as in tables with patches,
 * it cuts `words` its own way and finds the path ids of markers as well; so a number is looked for between spaces, too.
 */
export const holdsTokens = (tokens: readonly string[]): string => {
  const longest = [...new Set(tokens)].toSorted((a, b) => b.length - a.length).slice(0, mostIndexTokens);
  return allOf([
    `hasAllTokens(${words}, [${longest.map(quoteString).join(', ')}])`,
    ...longest.filter(looksLikePathId).map((token) => `position(${words}, ${quoteString(` ${token} `)}) > 0`),
  ]);
};

/**
 * `words` without the segments of hidden paths. A path that got its number later than the others were looked up is left
 * out as well: it may be hidden.
 */
function visibleWords(hidden: NonNullable<HiddenPaths>): string {
  const isHidden = `arrayExists(path -> ${hiddenPathTest(hidden)}, [toUInt32OrZero(extract(part, '^[0-9]+'))])`;
  return `arrayStringConcat(arrayFilter(part -> NOT ${isHidden}, splitByChar('\\x01', ${words})), '\\x01')`;
}

/** Up to so many visible paths a pattern names them all: that is many times faster than to take the others out. */
const longestAlternation = 300;

/** The rows of which one value that the reader sees matches a RE2 pattern over tokens in a row. */
function matchesVisible(pattern: string, hidden: NonNullable<HiddenPaths>, caseless: boolean): string {
  if (hidden.known - hidden.ids.length <= longestAlternation) {
    const without = new Set(hidden.ids);
    const visible = upTo(hidden.known).filter((id) => !without.has(id));
    if (visible.length === 0) return never;
    return matchesWordsAt(`\u0001(?:${visible.join('|')})[\u0002\u0003]`, pattern, caseless);
  }
  const literal = quoteString(`${caseless ? '(?i)' : ''} ${pattern} `);
  return allOf([`match(${words}, ${literal})`, `match(${visibleWords(hidden)}, ${literal})`]);
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, id) => id);

/** The rows of which one value has these tokens in a row. The index names more rows where it knows of hidden paths. */
export const holdsPhrase = (tokens: readonly string[], hidden: HiddenPaths): string => {
  if (hidden !== undefined) {
    return allOf([holdsTokens(tokens), matchesVisible(tokens.map(escapeRe2).join(' '), hidden, false)]);
  }
  return tokens.length === 1
    ? holdsTokens(tokens)
    : allOf([holdsTokens(tokens), `position(${words}, ${quoteString(` ${tokens.join(' ')} `)}) > 0`]);
};

/** The rows of which one text or boolean at the path has these tokens in a row. */
export const holdsPhraseAt = (path: SearchPath, tokens: readonly string[]): string =>
  allOf([holdsTokens(tokens), matchesWordsAt(textMarker(path.pathId), tokens.map(escapeRe2).join(' '))]);

/** The rows of which one value matches a RE2 pattern over tokens in a row. */
export const matchesWords = (pattern: string, hidden: HiddenPaths, caseless = false): string =>
  hidden === undefined
    ? `match(${words}, ${quoteString(`${caseless ? '(?i)' : ''} ${pattern} `)})`
    : matchesVisible(pattern, hidden, caseless);

/** The same for one segment; the marker begins it, and the next begins with \x01, which nothing here can cross. */
export const matchesWordsAt = (marker: string, pattern: string, caseless = false): string =>
  `match(${words}, ${quoteString(`${caseless ? '(?i)' : ''}${marker} (?:[^\u0001]* )?${pattern} `)})`;

/** The marker of texts, booleans and numbers at the path, as RE2. */
export const anyMarker = ({ pathId, has }: SearchPath): string => {
  const hasNumbers = has(kinds.integer, kinds.float, kinds.big, kinds.element);
  const hasTexts = has(kinds.boolean, kinds.text, kinds.timestamp, kinds.element);
  if (!hasNumbers) return textMarker(pathId);
  return hasTexts ? `\u0001${String(pathId)}[\u0002\u0003]` : numberMarker(pathId);
};
