import { kinds, numberMarker, recordColumns, textMarker } from '../storage/record-columns.ts';
import { quoteString } from '../storage/quoting.ts';
import { escapeRe2 } from './re2.ts';
import { allOf } from './predicate.ts';
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

/** The rows of which one value has these tokens in a row. */
export const holdsPhrase = (tokens: readonly string[]): string =>
  tokens.length === 1
    ? holdsTokens(tokens)
    : allOf([holdsTokens(tokens), `position(${words}, ${quoteString(` ${tokens.join(' ')} `)}) > 0`]);

/** The rows of which one text or boolean at the path has these tokens in a row. */
export const holdsPhraseAt = (path: SearchPath, tokens: readonly string[]): string =>
  allOf([holdsTokens(tokens), matchesWordsAt(textMarker(path.pathId), tokens.map(escapeRe2).join(' '))]);

/** The rows of which one value matches a RE2 pattern over tokens in a row. */
export const matchesWords = (pattern: string, caseless = false): string =>
  `match(${words}, ${quoteString(`${caseless ? '(?i)' : ''} ${pattern} `)})`;

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
