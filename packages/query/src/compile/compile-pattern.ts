import type { PatternPart } from '../lucene/lucene-node.ts';
import type { RegexNode } from '../lucene/regex-node.ts';
import { splitPattern } from '../lucene/token-pattern.ts';
import { kinds, overflowCode, recordColumns } from '../storage/record-columns.ts';
import { quoteString } from '../storage/quoting.ts';
import type { SearchPath } from './path.ts';
import { allOf, trueLiteral, anyOf, falseLiteral, nullAsFalse } from './predicate.ts';
import { printRe2, printWholeValuePattern, printWildcardAsRe2 } from './re2.ts';
import type { PathEntry } from './search-types.ts';
import type { HiddenPathIds } from './visible-paths.ts';
import {
  anyMarker,
  compileContainsTokens,
  compileWordPattern,
  compileWordPatternAtPath,
} from './word-predicates.ts';

/** The tokens that a wildcard pattern needs as they are, by the index. */
function plainTokens(pieces: readonly PatternPart[][], places: readonly PathEntry[] | undefined): string {
  const tokens = pieces.flatMap(([only, ...more]) =>
    only !== undefined && 'text' in only && more.length === 0 ? [only.text] : [],
  );
  return tokens.length === 0 ? trueLiteral : compileContainsTokens(tokens, places);
}

const piecesText = (pieces: readonly PatternPart[][]): string =>
  pieces.map((piece) => printWildcardAsRe2(piece, 'token')).join(' ');

/** A wildcard pattern on any field: tokens in a row in one value. */
export function compileAnyPattern(parts: readonly PatternPart[], hidden: HiddenPathIds): string {
  const pieces = splitPattern(parts);
  return allOf([plainTokens(pieces, hidden?.places), compileWordPattern(piecesText(pieces), hidden)]);
}

/** A regular expression on any field: one whole token, in any case. */
export const compileAnyRegex = (regex: RegexNode, hidden: HiddenPathIds): string =>
  compileWordPattern(printRe2(regex, 'token'), hidden, true);

/** A wildcard pattern on a path: tokens in a row, or the whole value. */
export function compilePattern(path: SearchPath, parts: readonly PatternPart[]): string {
  if (!hasLeaves(path)) return falseLiteral;
  const pieces = splitPattern(parts);
  return anyOf([
    allOf([plainTokens(pieces, path.places), compileWordPatternAtPath(anyMarker(path), piecesText(pieces))]),
    matchesWholeValue(path, printWildcardAsRe2(parts, 'value')),
  ]);
}

/** A regular expression on a path: one whole token, or the whole value, in any case. */
export function compileRegex(path: SearchPath, regex: RegexNode): string {
  if (!hasLeaves(path)) return falseLiteral;
  return anyOf([
    compileWordPatternAtPath(anyMarker(path), printRe2(regex, 'token'), true),
    matchesWholeValue(path, printRe2(regex, 'value')),
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
  const literal = quoteString(printWholeValuePattern(pattern));
  const scalar = (value: string): string => nullAsFalse(`match(${value}, ${literal})`);
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
    const [first, last] = [overflowCode(path.pathId, kinds.null), overflowCode(path.pathId, kinds.timestamp)];
    conditions.push(
      `arrayExists((c, t) -> c BETWEEN ${String(first)} AND ${String(last)} AND match(t, ${literal}), ${recordColumns.looseCode}, ${recordColumns.looseText})`,
    );
  }
  return anyOf(conditions);
}
