import {
  kinds,
  numberFlagBits,
  numericScale,
  numericWholeDigits,
  type NumberFlag,
} from '../storage/record-columns.ts';

/** An exact decimal: `digits` times 10 to the power of `exponent`. `digits` has no zeros at either end; it is empty for 0. */
export interface Decimal {
  negative: boolean;
  digits: string;
  exponent: number;
}

/** A number of a record in the forms that are stored. */
export interface NumberValue {
  kind: typeof kinds.integer | typeof kinds.float | typeof kinds.big;
  /** The text that patterns match. Equal integers and equal big numbers have equal texts. */
  text: string;
  /** The value rounded to Float64; infinite beyond its range. */
  float: number;
}

/** The ranges of the engine's 64-bit integers. `uint64` has only the numbers above `int64`. */
export const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
export const uint64 = { min: 2n ** 63n, max: 2n ** 64n - 1n };

const numberPattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
const maxExponent = 1e15;
const maxPlainDigits = 400;

/** Parses a number as in searches, which allow `+5`, `007`, `.5` and `5.`. Undefined for any other text. */
export function parseDecimal(text: string): Decimal | undefined {
  const [found, sign, whole = '', fraction = '', power = '0'] = numberPattern.exec(text) ?? [];
  if (found === undefined || whole.length + fraction.length === 0) return undefined;
  const significant = (whole + fraction).replace(/^0+/, '');
  const digits = trimZeros(significant);
  if (digits === '') return { negative: false, digits, exponent: 0 };
  const shift = Math.min(Math.max(Number(power), -maxExponent), maxExponent);
  return {
    negative: sign === '-',
    digits,
    exponent: shift - fraction.length + significant.length - digits.length,
  };
}

/** Removes zeros at the end. The pattern /0+$/ would take quadratic time on texts with many zeros inside. */
export function trimZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end--;
  return digits.slice(0, end);
}

/** Prints an integer or big number. Equal numbers have equal texts. */
export function decimalText({ negative, digits, exponent }: Decimal): string {
  const sign = negative ? '-' : '';
  if (digits === '') return '0';
  if (exponent >= 0 && digits.length + exponent <= maxPlainDigits)
    return `${sign}${digits}${'0'.repeat(exponent)}`;
  return `${sign}${digits}e${String(exponent)}`;
}

/** Prints a float as the engine does. */
const floatText = (value: number): string => (Object.is(value, -0) ? '-0' : String(value).replace('e+', 'e'));

/** The nearest integers at or below and at or above a decimal. Beyond 2^70 in size, both are 2^70 with its sign. */
export function nearestIntegers(decimal: Decimal): { floor: bigint; ceiling: bigint } {
  const { negative, digits, exponent } = decimal;
  const outside = 2n ** 70n;
  if (digits === '') return { floor: 0n, ceiling: 0n };
  if (digits.length + exponent > 22) {
    const limit = negative ? -outside : outside;
    return { floor: limit, ceiling: limit };
  }
  if (exponent >= 0) {
    const whole = BigInt(digits) * 10n ** BigInt(exponent) * (negative ? -1n : 1n);
    return { floor: whole, ceiling: whole };
  }
  const size = BigInt(digits.slice(0, Math.max(0, digits.length + exponent)) || '0');
  return negative ? { floor: -size - 1n, ceiling: -size } : { floor: size, ceiling: size + 1n };
}

/** Classifies a JSON number by its source text, which keeps all digits. */
export function numberValue(source: string): NumberValue {
  const float = Number(source);
  if (/^-?\d+$/.test(source)) {
    if (Number.isSafeInteger(float)) return { kind: kinds.integer, text: String(float), float };
    const text = decimalText(parseDecimal(source) ?? { negative: false, digits: '', exponent: 0 });
    return { kind: source.length <= 20 && fits64(BigInt(source)) ? kinds.integer : kinds.big, text, float };
  }
  if (Number.isFinite(float)) return { kind: kinds.float, text: floatText(float), float };
  return {
    kind: kinds.big,
    text: decimalText(parseDecimal(source) ?? { negative: false, digits: '', exponent: 0 }),
    float,
  };
}

const fits64 = (whole: bigint): boolean => whole >= int64.min && whole <= uint64.max;

/** Up to this many characters, a number without an exponent is exact as Float64 and as numeric. */
const maxExactLength = 15;

/** Returns the flag of a number that prevents its column from being bigint or numeric, if it has one. */
export function numberFlags(source: string, kind: NumberValue['kind']): NumberFlag | undefined {
  if (source.length <= maxExactLength && !/e/i.test(source)) return undefined;
  if (kind === kinds.integer) return BigInt(source) > int64.max ? numberFlagBits.unsigned : undefined;
  const exact = parseDecimal(source);
  if (exact === undefined || !fitsNumeric(exact)) return numberFlagBits.inexact;
  if (kind === kinds.big) return undefined;
  const stored = parseDecimal(String(Number(source)));
  return stored !== undefined && decimalText(stored) === decimalText(exact)
    ? undefined
    : numberFlagBits.inexact;
}

const fitsNumeric = ({ digits, exponent }: Decimal): boolean =>
  exponent >= -numericScale && digits.length + exponent <= numericWholeDigits;
