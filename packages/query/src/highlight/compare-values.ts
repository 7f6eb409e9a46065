import type { Bound, RangeNode } from '../lucene/lucene-node.ts';
import { kinds } from '../storage/record-columns.ts';
import { numberValue, parseDecimal, type Decimal } from '../values/numbers.ts';
import { parseTimeRange, parseTimestampMicros } from '../values/timestamps.ts';
import type { Leaf } from './record-leaves.ts';

const signOf = ({ negative, digits }: Decimal): number => (digits === '' ? 0 : negative ? -1 : 1);

/** Compares two exact decimals by sign, size and digits, so that large exponents cost nothing. */
function compareDecimals(a: Decimal, b: Decimal): number {
  const sign = signOf(a);
  if (sign !== signOf(b) || sign === 0) return sign - signOf(b);
  const bySize = a.digits.length + a.exponent - (b.digits.length + b.exponent);
  if (bySize !== 0) return bySize > 0 ? sign : -sign;
  if (a.digits === b.digits) return 0;
  return a.digits > b.digits ? sign : -sign;
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
function isInNumberRange(source: string, lower: Bound | null, upper: Bound | null): boolean {
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

const codeAt = (text: string, at: number): number => text.codePointAt(at) ?? 0;

/** Compares texts by code points. */
function compareTexts(a: string, b: string): number {
  for (let at = 0; at < a.length && at < b.length; at++) {
    if (a.charCodeAt(at) === b.charCodeAt(at)) continue;
    // Where these units are second halves of pairs, the pairs begin one unit earlier.
    const ofPairs = at === 0 ? 0 : codeAt(a, at - 1) - codeAt(b, at - 1);
    return ofPairs === 0 ? codeAt(a, at) - codeAt(b, at) : ofPairs;
  }
  return a.length - b.length;
}

/** Whether a value of a record lies in a range, as `compileRange` decides. */
export function isInRange({ lower, upper }: RangeNode, leaf: Leaf): boolean {
  if (leaf.type === 'boolean') return false;
  if (leaf.type === 'number') return isInNumberRange(leaf.source, lower, upper);
  const low = lower === null ? undefined : parseTimeRange(lower.text);
  const high = upper === null ? undefined : parseTimeRange(upper.text);
  const timestamp = parseTimestampMicros(leaf.text);
  if (
    timestamp !== undefined &&
    (lower === null || low !== undefined) &&
    (upper === null || high !== undefined)
  ) {
    const isAfter = low === undefined || timestamp >= (lower?.inclusive === true ? low.from : low.until);
    return (
      isAfter && (high === undefined || timestamp < (upper?.inclusive === true ? high.until : high.from))
    );
  }
  const above = lower === null ? 1 : compareTexts(leaf.text, lower.text);
  const below = upper === null ? -1 : compareTexts(leaf.text, upper.text);
  return (
    (above > 0 || (above === 0 && lower?.inclusive === true)) &&
    (below < 0 || (below === 0 && upper?.inclusive === true))
  );
}
