import type { PatternPart } from '../lucene/lucene-node.ts';
import type { RegexNode } from '../lucene/regex-node.ts';
import { tokenPieces } from '../lucene/token-pattern.ts';
import { kinds, looseCode, recordColumns } from '../storage/record-columns.ts';
import { quoteString } from '../storage/quoting.ts';
import type { SearchPath } from './path.ts';
import { allOf, always, anyOf, never, sure } from './predicate.ts';
import { regexText, wholeValue, wildcardText } from './re2.ts';
import type { PathEntry } from './search-types.ts';
import type { HiddenPaths } from './visible-paths.ts';
import { anyMarker, holdsTokens, matchesWords, matchesWordsAt } from './words.ts';

/** The tokens that a wildcard pattern needs as they are, by the index. */
function plainTokens(pieces: readonly PatternPart[][], places: readonly PathEntry[] | undefined): string {
  const tokens = pieces.flatMap(([only, ...more]) =>
    only !== undefined && 'text' in only && more.length === 0 ? [only.text] : [],
  );
  return tokens.length === 0 ? always : holdsTokens(tokens, places);
}

const piecesText = (pieces: readonly PatternPart[][]): string =>
  pieces.map((piece) => wildcardText(piece, 'token')).join(' ');

/** A wildcard pattern on any field: tokens in a row in one value. */
export function compileAnyPattern(parts: readonly PatternPart[], hidden: HiddenPaths): string {
  const pieces = tokenPieces(parts);
  return allOf([plainTokens(pieces, hidden?.places), matchesWords(piecesText(pieces), hidden)]);
}

/** A regular expression on any field: one whole token, in any case. */
export const compileAnyRegex = (regex: RegexNode, hidden: HiddenPaths): string =>
  matchesWords(regexText(regex, 'token'), hidden, true);

/** A wildcard pattern on a path: tokens in a row, or the whole value. */
export function compilePattern(path: SearchPath, parts: readonly PatternPart[]): string {
  if (!hasLeaves(path)) return never;
  const pieces = tokenPieces(parts);
  return anyOf([
    allOf([plainTokens(pieces, path.places), matchesWordsAt(anyMarker(path), piecesText(pieces))]),
    matchesWholeValue(path, wildcardText(parts, 'value')),
  ]);
}

/** A regular expression on a path: one whole token, or the whole value, in any case. */
export function compileRegex(path: SearchPath, regex: RegexNode): string {
  if (!hasLeaves(path)) return never;
  return anyOf([
    matchesWordsAt(anyMarker(path), regexText(regex, 'token'), true),
    matchesWholeValue(path, regexText(regex, 'value')),
  ]);
}

const leafKinds = [
  kinds.boolean,
  kinds.integer,
  kinds.float,
  kinds.big,
  kinds.text,
  kinds.timestamp,
  kinds.element,
];

const hasLeaves = ({ has }: SearchPath): boolean => has(...leafKinds);

/** A boolean is one token, so it is left to the tokens. */
function matchesWholeValue(path: SearchPath, pattern: string): string {
  const literal = quoteString(wholeValue(pattern));
  const scalar = (value: string): string => sure(`match(${value}, ${literal})`);
  const conditions: string[] = [];
  if (path.hasScalar(kinds.text, kinds.timestamp)) conditions.push(scalar(path.scalar('String')));
  if (path.hasScalar(kinds.integer)) {
    conditions.push(
      scalar(`toString(${path.scalar('Int64')})`),
      scalar(`toString(${path.scalar('UInt64')})`),
    );
  }
  if (path.hasScalar(kinds.float)) conditions.push(scalar(`toString(${path.scalar('Float64')})`));
  if (path.has(kinds.element)) {
    const [first, last] = [looseCode(path.pathId, kinds.null), looseCode(path.pathId, kinds.timestamp)];
    conditions.push(
      `arrayExists((c, t) -> c BETWEEN ${String(first)} AND ${String(last)} AND match(t, ${literal}), ${recordColumns.looseCode}, ${recordColumns.looseText})`,
    );
  }
  return anyOf(conditions);
}
