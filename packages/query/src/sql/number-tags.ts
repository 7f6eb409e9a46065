import { quoteString } from '../storage/quoting.ts';

/**
 * The engine's JSON parser refuses or rounds long numbers. So texts with such numbers go through it with numbers as texts:
 * an `n` in front tells them from other texts, which get an `s`. Both ways are few calls, since the engine takes longer to
 * plan a long statement than to run it.
 */

/**
 * A number within an object or an array that the engine's parser would not give back as it is written: many digits, exponents,
 * zeros at the end, minus zero. It is looked for behind what stands before a number alone, since dates and keys in texts hold such
 * digits too, and a text with marks takes ten times as long.
 */
export const inexactNumberPattern = String.raw`[:\[,]\s*-?(?:[0-9.]{16}|0[.]0000|[0-9.]+[eE]|[0-9]+[.][0-9]*0[\s,\]}])|[:\[,]\s*-0[\s,\]}]`;

const string = String.raw`"((?:[^"\\]|\\.)*)"`;
const number = String.raw`([-0-9][-+.0-9eE]*)`;

const allReplaced = (text: string, pattern: string, by: string): string =>
  `replaceRegexpAll(${text}, ${quoteString(pattern)}, ${quoteString(by)})`;

/**
 * A JSON text with its numbers as texts. Each token is written both as a text and as a number, one of them empty, and the
 * empty ones are taken away: two quotes beside each other are nowhere else.
 */
export const tagNumbers = (json: string): string => {
  const both = allReplaced(json, `${string}|${number}`, String.raw`"s\1""n\2"`);
  return `replaceAll(replaceAll(${both}, '""n"', '"'), '"s""n', '"n')`;
};

/** A JSON text with marks as it was before. */
export const untagNumbers = (json: string): string =>
  allReplaced(json, String.raw`(")s((?:[^"\\]|\\.)*")|"n([-+.0-9eE]*)"`, String.raw`\1\2\3`);
