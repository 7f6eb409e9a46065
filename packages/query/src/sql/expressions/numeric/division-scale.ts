/**
 * PostgreSQL's select_div_scale as engine SQL: it computes how many digits after the point a quotient has. PostgreSQL
 * stores numerics in base 10000, and compares the first base-10000 digit of both operands and its position. Here, both
 * are one number: 10000 times the position plus the digit.
 */

const places = 4;
const base = 10 ** places;

/** The zeros to append so that the digits after the point divide into groups of four. */
const paddingOf = (scale: number): number => (places - (scale % places)) % places;

/** The digits of a number without sign and point, padded so that they divide into groups of four from the right. */
export const paddedDigits = (digits: string, scale: number): string =>
  paddingOf(scale) === 0 ? digits : `concat(${digits}, '${'0'.repeat(paddingOf(scale))}')`;

/** What to subtract from `firstDigit`, which counts all of `paddedDigits` as before the point; 0 for scale 0. */
export const shiftOfScale = (scale: number): number => ((scale + paddingOf(scale)) / places) * base;

/** The first group of `paddedDigits` and its position, as one number. */
export const firstDigit = (digits: string): string =>
  `intDiv(length(${digits}) - 1, ${String(places)}) * ${String(base)} + toInt32(substring(${digits}, 1, (length(${digits}) - 1) % ${String(places)} + 1))`;

/**
 * Compiles the number of digits after the point of a quotient.
 * @param difference of the first digits of dividend and divisor
 * @param least the larger scale of both
 */
export const selectDivisionScale = (difference: string, least: string): string =>
  `greatest(20 - 4 * ceil(${difference} / ${String(base)}), ${least})`;
