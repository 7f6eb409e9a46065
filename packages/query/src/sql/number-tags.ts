import { quoteString } from '../storage/quoting.ts';

/**
 * The engine's JSON parser rejects or rounds long numbers. Text with such numbers is parsed with its numbers as strings:
 * a prefix `n` marks numbers, and a prefix `s` marks other strings. The expressions consist of few calls, because the
 * engine takes longer to plan a long statement than to run it.
 */

/**
 * Finds numbers in objects and arrays that the engine's parser would change: many digits, exponents, trailing zeros and
 * minus zero. It looks only after characters that can precede a number, because dates and keys contain such digits too,
 * and parsing with tags takes ten times as long.
 */
export const inexactNumberPattern = String.raw`[:\[,]\s*-?(?:[0-9.]{16}|0[.]0000|[0-9.]+[eE]|[0-9]+[.][0-9]*0[\s,\]}])|[:\[,]\s*-0[\s,\]}]`;

const string = String.raw`"((?:[^"\\]|\\.)*)"`;
const number = String.raw`([-0-9][-+.0-9eE]*)`;

const allReplaced = (text: string, pattern: string, by: string): string =>
  `replaceRegexpAll(${text}, ${quoteString(pattern)}, ${quoteString(by)})`;

/**
 * Converts the numbers in JSON text to strings, and adds prefixes to all strings. Each token is printed both as a string
 * and as a number, of which one is empty. The empty ones are then removed: adjacent quotes occur nowhere else.
 */
export const tagNumbers = (json: string): string => {
  const both = allReplaced(json, `${string}|${number}`, String.raw`"s\1""n\2"`);
  return `replaceAll(replaceAll(${both}, '""n"', '"'), '"s""n', '"n')`;
};

/** Reverses `tagNumbers`. */
export const untagNumbers = (json: string): string =>
  allReplaced(json, String.raw`(")s((?:[^"\\]|\\.)*")|"n([-+.0-9eE]*)"`, String.raw`\1\2\3`);
