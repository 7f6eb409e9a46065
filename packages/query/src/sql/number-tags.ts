import { quoteString } from '../storage/quoting.ts';

/**
 * The engine's JSON parser rejects or rounds long numbers. In a text with such numbers, all numbers are converted to
 * strings before it is parsed: the prefix `n` marks numbers, and the prefix `s` marks other strings. The expressions
 * consist of few calls, because the engine takes longer to plan a long statement than to run it.
 */

/**
 * Finds numbers in objects and arrays that the engine's parser would change: many digits, exponents, trailing zeros and
 * minus zero. It matches only after characters that can precede a number: dates and keys contain such digits too, and
 * parsing a text with tags takes ten times as long.
 */
export const inexactNumberPattern = String.raw`[:\[,]\s*-?(?:[0-9.]{16}|0[.]0000|[0-9.]+[eE]|[0-9]+[.][0-9]*0[\s,\]}])|[:\[,]\s*-0[\s,\]}]`;

const string = String.raw`"((?:[^"\\]|\\.)*)"`;
const number = String.raw`([-0-9][-+.0-9eE]*)`;

const allReplaced = (text: string, pattern: string, by: string): string =>
  `replaceRegexpAll(${text}, ${quoteString(pattern)}, ${quoteString(by)})`;

/**
 * Converts the numbers in JSON text to strings, and adds prefixes to all strings. Each token is replaced by a string
 * followed by a number, one of which is empty. The empty ones are then removed. They are found by two adjacent quotes,
 * which occur nowhere else.
 */
export const tagNumbers = (json: string): string => {
  const both = allReplaced(json, `${string}|${number}`, String.raw`"s\1""n\2"`);
  return `replaceAll(replaceAll(${both}, '""n"', '"'), '"s""n', '"n')`;
};

/** Reverses `tagNumbers`. */
export const untagNumbers = (json: string): string =>
  allReplaced(json, String.raw`(")s((?:[^"\\]|\\.)*")|"n([-+.0-9eE]*)"`, String.raw`\1\2\3`);
