import { isAscii, tokensOf } from '../lucene/tokens.ts';
import { fieldCode, kinds, recordColumns } from '../storage/record-columns.ts';
import { quoteString } from '../storage/quoting.ts';
import {
  decimalText,
  int64,
  parseDecimal,
  uint64,
  nearestIntegers,
  type Decimal,
} from '../values/numbers.ts';
import { floatLiteral } from './literals.ts';
import { compileOverflowPredicate, type OverflowPredicate, type SearchPath } from './path.ts';
import { allOf, anyOf, falseLiteral, nullAsFalse } from './predicate.ts';
import { printAsciiPhrasePattern } from './re2.ts';
import type { HiddenPathIds } from './visible-paths.ts';
import {
  compileContainsPhrase,
  compileContainsPhraseAtPath,
  compileContainsTokens,
} from './word-predicates.ts';

/** Compiles a term on any field: it matches its tokens, consecutive in one value. Without tokens it matches nothing. */
export function compileAnyTerm(text: string, hidden: HiddenPathIds): string {
  const tokens = tokensOf(text);
  return tokens.length === 0 ? falseLiteral : compileContainsPhrase(tokens, hidden);
}

/**
 * Compiles a term on a path: it matches an equal number, or a boolean or text that contains its tokens consecutively. A
 * term without tokens matches a text that is exactly the same.
 */
export function compileTerm(path: SearchPath, text: string): string {
  const tokens = tokensOf(text);
  const decimal = parseDecimal(text);
  const hasNoTokens = tokens.length === 0;
  const overflowPredicates = [
    ...(decimal === undefined ? [] : overflowEquals(decimal, text)),
    ...(hasNoTokens ? overflowText(text) : []),
  ];
  return anyOf([
    ...(decimal === undefined ? [] : scalarEquals(path, decimal, text)),
    compileOverflowPredicate(path, overflowPredicates),
    hasNoTokens && path.hasScalar(kinds.text)
      ? nullAsFalse(`${path.scalar('String')} = ${quoteString(text)}`)
      : falseLiteral,
    hasNoTokens ? falseLiteral : compileTokensAt(path, tokens),
  ]);
}

/** Matches a boolean or text that contains the tokens consecutively. */
function compileTokensAt(path: SearchPath, tokens: string[]): string {
  if (!path.has(kinds.boolean, kinds.text, kinds.timestamp, kinds.element)) return falseLiteral;
  const onlyScalars = path.hasScalar(kinds.text, kinds.timestamp) && !path.has(kinds.boolean, kinds.element);
  // The word index by path contains the field of each word, so for one token the engine reads no column.
  const isLookup = path.indexedPaths !== undefined && tokens.length === 1;
  if (!path.hasOnlyAsciiTexts || !onlyScalars || isLookup) return compileContainsPhraseAtPath(path, tokens);
  if (!tokens.every(isAscii)) return falseLiteral;
  return allOf([
    compileContainsTokens(tokens, path.indexedPaths),
    nullAsFalse(`match(${path.scalar('String')}, ${quoteString(printAsciiPhrasePattern(tokens))})`),
  ]);
}

const overflowText = (text: string): OverflowPredicate[] => [
  { kind: kinds.text, condition: `t = ${quoteString(text)}` },
];

/** Converts a decimal to an integer; undefined if it has a fraction. */
const toInteger = (decimal: Decimal): bigint | undefined => {
  const { floor, ceiling } = nearestIntegers(decimal);
  return floor === ceiling ? floor : undefined;
};

function scalarEquals(path: SearchPath, decimal: Decimal, text: string): string[] {
  const whole = toInteger(decimal);
  const float = Number(text);
  const equals = (type: 'Float64' | 'Int64' | 'UInt64', literal: string): string =>
    nullAsFalse(`${path.scalar(type)} = ${literal}`);
  const conditions: string[] = [];
  if (whole !== undefined && path.hasScalar(kinds.integer)) {
    if (whole >= int64.min && whole <= int64.max) conditions.push(equals('Int64', String(whole)));
    else if (whole >= uint64.min && whole <= uint64.max) conditions.push(equals('UInt64', String(whole)));
  }
  if (Number.isFinite(float) && path.hasScalar(kinds.float))
    conditions.push(equals('Float64', floatLiteral(float)));
  return conditions;
}

/** Compares integers and big numbers by their texts, which are equal for equal numbers, and floats as floats. */
function overflowEquals(decimal: Decimal, text: string): OverflowPredicate[] {
  const sameNumber = `t = ${quoteString(decimalText(decimal))}`;
  const float = Number(text);
  const tests: OverflowPredicate[] = [
    { kind: kinds.integer, condition: sameNumber },
    { kind: kinds.big, condition: sameNumber },
  ];
  if (Number.isFinite(float))
    tests.push({ kind: kinds.float, condition: nullAsFalse(`n = ${floatLiteral(float)}`) });
  return tests;
}

/** Matches records that have any value but null at the path. */
export function compileExists({ pathId, has }: SearchPath): string {
  const codes = Object.values(kinds).flatMap((kind) =>
    kind !== kinds.null && has(kind) ? [fieldCode(pathId, kind, false), fieldCode(pathId, kind, true)] : [],
  );
  return codes.length === 0 ? falseLiteral : `hasAny(${recordColumns.fields}, [${codes.join(', ')}])`;
}
