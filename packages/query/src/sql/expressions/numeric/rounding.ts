/** The next whole number, of two as near the even one: how PostgreSQL rounds doubles (rint). */
export function roundHalfEven(value: number): number {
  const rounded = Math.round(value);
  return Math.abs(value % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

/** The next whole number, of two as near the one nearer to 0: how PostgreSQL adds parts of a unit to an interval (AdjustFractMicroseconds). */
export const roundHalfTowardsZero = (value: number): number =>
  Math.abs(value % 1) === 0.5 ? Math.trunc(value) : Math.round(value);
