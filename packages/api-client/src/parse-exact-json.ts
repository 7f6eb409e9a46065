const isExact = (value: number, source: string): boolean =>
  /^-?\d+$/.test(source) ? Number.isSafeInteger(value) : significantDigits(source) <= 15;

/** The digits of a number in JSON without leading and trailing zeros. */
const significantDigits = (source: string): number =>
  (/^-?([\d.]+)/.exec(source)?.[1] ?? '').replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length;

/**
 * A reviver for `JSON.parse` that replaces an inexact number by its text. ECMAScript 2026 passes that text in
 * `context`.
 */
const keepDigits = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && context?.source !== undefined && !isExact(value, context.source)
    ? context.source
    : value;

/**
 * Parses JSON like `JSON.parse`, but returns the text of a number that a double cannot represent exactly:
 * `9007199254740993` becomes `'9007199254740993'`. Integers count as exact below 2^53, other numbers up to 15
 * significant digits.
 * @throws SyntaxError for text that is not JSON
 */
export const parseExactJson = (text: string): unknown => {
  // Only long numbers can be inexact, and a reviver makes parsing several times slower.
  if (!/\d[\d.]{15}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, keepDigits);
};
