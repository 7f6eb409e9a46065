import type { Bound } from '../lucene/lucene-node.ts';
import { int64, parseDecimal, uint64, nearestIntegers } from '../values/numbers.ts';

interface FloatBound {
  value: number;
  inclusive: boolean;
}

/** A stretch of whole numbers, both ends included. */
interface WholeRange {
  min: bigint;
  max: bigint;
}

/** A range of numbers: exact for the two kinds of 64-bit integers (undefined when none is in it), and for floats. */
export interface NumberRange {
  signed: WholeRange | undefined;
  unsigned: WholeRange | undefined;
  float: { lower: FloatBound | undefined; upper: FloatBound | undefined };
}

/** Undefined unless every bound that is not open is a number. */
export function numberRange(lower: Bound | null, upper: Bound | null): NumberRange | undefined {
  const min = lower === null ? int64.min : smallestWhole(lower);
  const max = upper === null ? uint64.max : largestWhole(upper);
  if (min === undefined || max === undefined) return undefined;
  return {
    signed: within(min, max, int64),
    unsigned: within(min, max, uint64),
    float: { lower: floatBound(lower), upper: floatBound(upper) },
  };
}

function smallestWhole({ text, inclusive }: Bound): bigint | undefined {
  const decimal = parseDecimal(text);
  if (decimal === undefined) return undefined;
  const { floor, ceiling } = nearestIntegers(decimal);
  return floor === ceiling && !inclusive ? ceiling + 1n : ceiling;
}

function largestWhole({ text, inclusive }: Bound): bigint | undefined {
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
