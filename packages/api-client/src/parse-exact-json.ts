const isExact = (value: number, source: string): boolean =>
  /^-?\d+$/.test(source) ? Number.isSafeInteger(value) : significantDigits(source) <= 15;

/** The digits of a number in JSON without leading and trailing zeros. */
const significantDigits = (source: string): number =>
  (/^-?([\d.]+)/.exec(source)?.[1] ?? '').replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length;

/** A reviver that keeps the digits of inexact numbers. Its third argument is that of ECMAScript 2026. */
const keepDigits = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && context?.source !== undefined && !isExact(value, context.source)
    ? context.source
    : value;

/**
 * Parses JSON like `JSON.parse`, except that a number which a double cannot hold comes as the text of its digits:
 * `9007199254740993` is `'9007199254740993'`. Numbers without a fraction are exact up to 2^53, others up to 15 digits.
 * @throws SyntaxError for text that is no JSON
 */
export const parseExactJson = (text: string): unknown => {
  // Only long numbers can be inexact, and a reviver makes parsing several times slower.
  if (!/\d[\d.]{15}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, keepDigits);
};
