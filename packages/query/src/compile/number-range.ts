import type { Bound } from '../lucene/lucene-node.ts';
import { int64, parseDecimal, uint64, nearestIntegers } from '../values/numbers.ts';

interface FloatBound {
  value: number;
  inclusive: boolean;
}

/** A range of integers, both ends included. */
interface WholeRange {
  min: bigint;
  max: bigint;
}

/**
 * A range of numbers for each type: exact bounds for Int64 and for UInt64 above Int64 (undefined if no such integer is in
 * the range), and bounds for floats.
 */
export interface NumberRange {
  signed: WholeRange | undefined;
  unsigned: WholeRange | undefined;
  float: { lower: FloatBound | undefined; upper: FloatBound | undefined };
}

/** Converts bounds to ranges of numbers; undefined unless all bounds are numbers or open. */
export function numberRange(lower: Bound | null, upper: Bound | null): NumberRange | undefined {
  const min = lower === null ? int64.min : minInteger(lower);
  const max = upper === null ? uint64.max : maxInteger(upper);
  if (min === undefined || max === undefined) return undefined;
  return {
    signed: within(min, max, int64),
    unsigned: within(min, max, uint64),
    float: { lower: floatBound(lower), upper: floatBound(upper) },
  };
}

function minInteger({ text, inclusive }: Bound): bigint | undefined {
  const decimal = parseDecimal(text);
  if (decimal === undefined) return undefined;
  const { floor, ceiling } = nearestIntegers(decimal);
  return floor === ceiling && !inclusive ? ceiling + 1n : ceiling;
}

function maxInteger({ text, inclusive }: Bound): bigint | undefined {
  const decimal = parseDecimal(text);
  if (decimal === undefined) return undefined;
  const { floor, ceiling } = nearestIntegers(decimal);
  return floor === ceiling && !inclusive ? floor - 1n : floor;
}

function within(min: bigint, max: bigint, limits: WholeRange): WholeRange | undefined {
  const range = { min: min > limits.min ? min : limits.min, max: max < limits.max ? max : limits.max };
  return range.min <= range.max ? range : undefined;
}

const floatBound = (bound: Bound | null): FloatBound | undefined =>
  bound === null ? undefined : { value: Number(bound.text), inclusive: bound.inclusive };
