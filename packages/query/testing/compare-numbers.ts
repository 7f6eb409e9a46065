import type { Bound } from '../src/lucene/lucene-node.ts';
import { kinds } from '../src/storage/record-columns.ts';
import { numberValue, parseDecimal, type Decimal } from '../src/values/numbers.ts';

/** Compares two exact decimals. Their exponents must be close, because the digits are scaled to the smaller one. */
function compareDecimals(a: Decimal, b: Decimal): number {
  const shift = Math.min(a.exponent, b.exponent);
  const scaled = ({ negative, digits, exponent }: Decimal): bigint =>
    BigInt(digits === '' ? '0' : digits) * 10n ** BigInt(exponent - shift) * (negative ? -1n : 1n);
  const difference = scaled(a) - scaled(b);
  if (difference === 0n) return 0;
  return difference > 0n ? 1 : -1;
}

const compareFloats = (a: number, b: number): number => (a === b ? 0 : a > b ? 1 : -1);

/** Whether a number of a record equals the text of a term. */
export function equalNumbers(source: string, text: string): boolean {
  const wanted = parseDecimal(text);
  const value = parseDecimal(source);
  if (wanted === undefined || value === undefined) return false;
  if (numberValue(source).kind === kinds.float) return Number(source) === Number(text);
  return compareDecimals(value, wanted) === 0;
}

/** Whether a number of a record lies between bounds that are both numbers or open. */
export function isInNumberRange(source: string, lower: Bound | null, upper: Bound | null): boolean {
  const order = ({ text }: Bound): number | undefined => {
    const wanted = parseDecimal(text);
    const value = parseDecimal(source);
    if (wanted === undefined || value === undefined) return undefined;
    return numberValue(source).kind === kinds.integer
      ? compareDecimals(value, wanted)
      : compareFloats(Number(source), Number(text));
  };
  const above = lower === null ? 1 : order(lower);
  const below = upper === null ? -1 : order(upper);
  if (above === undefined || below === undefined) return false;
  return (
    (above > 0 || (above === 0 && lower?.inclusive === true)) &&
    (below < 0 || (below === 0 && upper?.inclusive === true))
  );
}
