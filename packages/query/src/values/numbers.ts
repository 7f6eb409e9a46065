import {
  kinds,
  numberFlagBits,
  numericScale,
  numericWholeDigits,
  type NumberFlag,
} from '../storage/record-columns.ts';

/** An exact decimal: `digits` (no zeros at either end; empty for zero) times ten to the power of `exponent`. */
export interface Decimal {
  negative: boolean;
  digits: string;
  exponent: number;
}

/** What the engine is told about a number of a record. */
export interface NumberValue {
  kind: typeof kinds.integer | typeof kinds.float | typeof kinds.big;
  /** One text for each value: what patterns see, and by which whole and big numbers are found equal. */
  text: string;
  /** Rounded to Float64; infinite beyond its range. */
  float: number;
}

/** The whole numbers that the engine's 64-bit columns hold. */
export const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
export const uint64 = { min: 2n ** 63n, max: 2n ** 64n - 1n };

const numberPattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
const largestExponent = 1e15;
const plainDigits = 400;

/** Reads a number as people write it in a search: also `+5`, `007`, `.5` and `5.`. Anything else is undefined. */
export function parseDecimal(text: string): Decimal | undefined {
  const [found, sign, whole = '', fraction = '', power = '0'] = numberPattern.exec(text) ?? [];
  if (found === undefined || whole.length + fraction.length === 0) return undefined;
  const written = (whole + fraction).replace(/^0+/, '');
  const digits = trimZeros(written);
  if (digits === '') return { negative: false, digits, exponent: 0 };
  const shift = Math.min(Math.max(Number(power), -largestExponent), largestExponent);
  return {
    negative: sign === '-',
    digits,
    exponent: shift - fraction.length + written.length - digits.length,
  };
}

/** Without its last zeros; a pattern such as /0+$/ would take quadratic time on zeros inside. */
export function trimZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end--;
  return digits.slice(0, end);
}

/** The text of a whole or big number; equal numbers have equal texts. */
export function decimalText({ negative, digits, exponent }: Decimal): string {
  const sign = negative ? '-' : '';
  if (digits === '') return '0';
  if (exponent >= 0 && digits.length + exponent <= plainDigits)
    return `${sign}${digits}${'0'.repeat(exponent)}`;
  return `${sign}${digits}e${String(exponent)}`;
}

/** The text of a float as the engine writes it. */
const floatText = (value: number): string => (Object.is(value, -0) ? '-0' : String(value).replace('e+', 'e'));

/** The whole numbers nearest to a decimal, below and above; beyond 2^70 just that. */
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

/** The kind, text and float of a JSON number, from its source text. */
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

/** Up to this many characters a number without an exponent is exact both as Float64 and as numeric. */
const shortNumber = 15;

/** The marks of a number: what keeps the column it stands in from being bigint or numeric. */
export function numberFlags(source: string, kind: NumberValue['kind']): NumberFlag | undefined {
  if (source.length <= shortNumber && !/e/i.test(source)) return undefined;
  if (kind === kinds.integer) return BigInt(source) > int64.max ? numberFlagBits.unsigned : undefined;
  const exact = parseDecimal(source);
  if (exact === undefined || !fitsNumeric(exact)) return numberFlagBits.inexact;
  if (kind === kinds.big) return undefined;
  const kept = parseDecimal(String(Number(source)));
  return kept !== undefined && decimalText(kept) === decimalText(exact) ? undefined : numberFlagBits.inexact;
}

const fitsNumeric = ({ digits, exponent }: Decimal): boolean =>
  exponent >= -numericScale && digits.length + exponent <= numericWholeDigits;
