/** Rounds half to even, as PostgreSQL rounds doubles (rint). */
export function roundHalfEven(value: number): number {
  const rounded = Math.round(value);
  return Math.abs(value % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

/** Rounds half towards zero, as PostgreSQL adds fractions of a unit to an interval (AdjustFractMicroseconds). */
export const roundHalfTowardsZero = (value: number): number =>
  Math.abs(value % 1) === 0.5 ? Math.trunc(value) : Math.round(value);
