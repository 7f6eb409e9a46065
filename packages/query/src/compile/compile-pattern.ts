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

/**
 * Looks up the tokens without wildcards in the word index, so that the slow pattern runs only on rows that have them.
 */
function compileLiteralTokens(
  tokenPatterns: readonly PatternPart[][],
  indexedPaths: readonly PathEntry[] | undefined,
): string {
  const tokens = tokenPatterns.flatMap(([only, ...more]) =>
    only !== undefined && 'text' in only && more.length === 0 ? [only.text] : [],
  );
  return tokens.length === 0 ? trueLiteral : compileContainsTokens(tokens, indexedPaths);
}

const printTokenPatterns = (tokenPatterns: readonly PatternPart[][]): string =>
  tokenPatterns.map((parts) => printWildcardAsRe2(parts, 'token')).join(' ');

/** Compiles a wildcard pattern on any field: it matches consecutive tokens in one value. */
export function compileAnyPattern(parts: readonly PatternPart[], hidden: HiddenPathIds): string {
  const tokenPatterns = splitPattern(parts);
  return allOf([
    compileLiteralTokens(tokenPatterns, hidden?.indexedPaths),
    compileWordPattern(printTokenPatterns(tokenPatterns), hidden),
  ]);
}

/** Compiles a regular expression on any field: it matches one whole token, in any letter case. */
export const compileAnyRegex = (regex: RegexNode, hidden: HiddenPathIds): string =>
  compileWordPattern(printRe2(regex, 'token'), hidden, true);

/** Compiles a wildcard pattern on a path: it matches consecutive tokens, or the whole value. */
export function compilePattern(path: SearchPath, parts: readonly PatternPart[]): string {
  if (!hasLeaves(path)) return falseLiteral;
  const tokenPatterns = splitPattern(parts);
  return anyOf([
    allOf([
      compileLiteralTokens(tokenPatterns, path.indexedPaths),
      compileWordPatternAtPath(anyMarker(path), printTokenPatterns(tokenPatterns)),
    ]),
    matchesWholeValue(path, printWildcardAsRe2(parts, 'value')),
  ]);
}

/** Compiles a regular expression on a path: it matches one whole token or the whole value, in any letter case. */
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

/** Matches the pattern with the whole value. Booleans are one token, so the token predicate already covers them. */
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
