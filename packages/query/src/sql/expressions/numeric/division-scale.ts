/**
 * PostgreSQL's select_div_scale, as engine SQL: how many digits after the point a quotient has. PostgreSQL counts in digits of
 * four places and looks at the first one of both operands. Here 10000 times its place plus the digit itself is one number.
 */

const places = 4;
const base = 10 ** places;

/** Zeros that make the digits after the point whole digits of four places. */
const paddingOf = (scale: number): number => (places - (scale % places)) % places;

/** The digits of a number without sign and point, so that they divide into digits of four places from the right. */
export const paddedDigits = (digits: string, scale: number): string =>
  paddingOf(scale) === 0 ? digits : `concat(${digits}, '${'0'.repeat(paddingOf(scale))}')`;

/** What the first digit of `paddedDigits` counts too much, as all of them are taken to be before the point. Zero has none. */
export const shiftOfScale = (scale: number): number => ((scale + paddingOf(scale)) / places) * base;

/** The first digit and its place, of `paddedDigits`. */
export const firstDigit = (digits: string): string =>
  `intDiv(length(${digits}) - 1, ${String(places)}) * ${String(base)} + toInt32(substring(${digits}, 1, (length(${digits}) - 1) % ${String(places)} + 1))`;

/**
 * The digits after the point of a quotient.
 * @param difference of the first digits of dividend and divisor
 * @param least the larger scale of both
 */
export const selectDivisionScale = (difference: string, least: string): string =>
  `greatest(20 - 4 * ceil(${difference} / ${String(base)}), ${least})`;
