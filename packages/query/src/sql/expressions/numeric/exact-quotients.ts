import { letIn } from '../engine-sql.ts';
import { firstDigit, paddedDigits, selectDivisionScale, shiftOfScale } from './division-scale.ts';
import { fromUnscaledInteger } from './numeric-scale.ts';

/** The scale of averages and variances of integers. */
export const averageScale = 24;

/**
 * Compiles a power of ten as Int256, for an exponent that varies by row. It is parsed from a text of digits, because
 * the engine takes longer to plan a calculation.
 */
const tenTo = (exponent: string): string => `toInt256OrZero(rightPad('1', ${exponent} + 1, '0'))`;

/** Compiles the scale of a quotient as PostgreSQL chooses it, limited to `scale`. */
export function quotientScaleOf(above: string, below: string, aboveScale: number, scale: number): string {
  const digits = paddedDigits(`toString(abs(${above}))`, aboveScale);
  const shift = shiftOfScale(aboveScale);
  const sum = `arraySum(arrayMap((q_text, q_sign) -> q_sign * (${firstDigit('q_text')}), [${digits}, toString(${below})], [1, -1]))`;
  const difference = shift === 0 ? sum : `(${sum} - if(${above} = 0, 0, ${String(shift)}))`;
  return `toInt32(least(${selectDivisionScale(difference, String(aboveScale))}, ${String(scale)}))`;
}

/** Operands up to this length are repeated, because binding them to a name costs the engine more. */
const shortOperands = 200;

export interface QuotientOptions {
  /** Whether to return the square root of the quotient, with the same number of digits. */
  readonly root?: boolean;
}

/**
 * Compiles a quotient of two Int256 values as PostgreSQL divides numerics: rounded half away from zero, with a scale
 * chosen by the size of both (at least 16 significant digits), limited to `scale`.
 * @param numerator in units of 10^-numeratorScale
 * @param denominator a positive integer
 * @returns engine SQL of Nullable(Decimal(76, scale)); NULL if the numbers do not fit
 */
export function quotient(
  numerator: string,
  denominator: string,
  numeratorScale: number,
  scale: number,
  { root = false }: QuotientOptions = {},
): string {
  const shift = numeratorScale === 0 ? 'q_digits' : `(q_digits - ${String(numeratorScale)})`;
  // The engine's integer division truncates for both signs.
  const rounded = `intDiv(q_above * ${tenTo(shift)} * 2 + if(q_above < 0, -q_below, q_below), q_below * 2)`;
  const whole = root ? letIn({ q_rounded: rounded }, squareRoot) : rounded;
  const units = `${whole} * ${tenTo(`${String(scale)} - q_digits`)}`;
  const size = 'toFloat64(abs(q_above))';
  const fits = `${size} * exp10(${shift}) < 1e76 AND ${size} / toFloat64(q_below) * 1e${String(scale - numeratorScale)} < 1e75`;
  const value = `if(${fits}, toNullable(${fromUnscaledInteger(units, scale)}), NULL)`;
  const operands = { q_above: numerator, q_below: denominator };
  const digits = (above: string, below: string): { q_digits: string } => ({
    q_digits: quotientScaleOf(above, below, numeratorScale, scale),
  });
  return numerator.length + denominator.length <= shortOperands
    ? letIn({ ...operands, ...digits(numerator, denominator) }, value)
    : letIn(operands, letIn(digits('q_above', 'q_below'), value));
}

const groupsOfDigits = Array.from({ length: 5 }, (_, group) => `1${'0000'.repeat(group)}`).join(', ');

/**
 * Compiles the average of bigints as in PostgreSQL, with few calls and no lambda, because the engine takes long to plan
 * both. The scale is that of `quotient`. The average is computed with 30 digits after the point, because further digits
 * cannot change the rounding.
 * @param total an integer of up to 128 bits, or NULL without values
 * @param count a positive 64-bit integer
 * @returns engine SQL of Decimal(76, 30) with at most 24 digits after the point, or NULL
 */
export const bigintAverage = (total: string, count: string): string =>
  `round(toDecimal256(${total}, 30) / ${count}, ifNull(${averageScaleOf(total, count)}, 0))`;

/**
 * Compiles the scale of the average of bigints; NULL without values. The scale depends on the number of groups of four
 * digits that the average has before the point, as PostgreSQL estimates it: m groups if the total is at least 10000^m
 * times `above`, the smallest number that is greater than the count and has only one non-zero group.
 */
export function averageScaleOf(total: string, count: string): string {
  const group = `roundDown(${count}, [${groupsOfDigits}])`;
  const above = `(intDiv(${count}, ${group}) + 1) * ${group}`;
  const groups = `intDiv(length(toString(intDiv(abs(toInt256(${total})) * 1${'0000'.repeat(3)}, ${above}))) - 1, 4)`;
  return `least(${String(16 + 4 * 3)} - 4 * ${groups}, ${String(averageScale)})`;
}

/**
 * The rounded square root of `q_rounded`, a non-negative number, in the same units of 10^-q_digits. It starts from the
 * engine's square root of a double, which two steps of Newton's method and a comparison with both neighbours make
 * exact.
 */
const squareRoot = letIn(
  { r_square: `(q_rounded * ${tenTo('q_digits')})` },
  letIn(
    { r_first: 'greatest(toInt256(sqrt(toFloat64(r_square))), toInt256(1))' },
    letIn(
      { r_second: 'greatest(intDiv(r_first + intDiv(r_square, r_first), 2), toInt256(1))' },
      letIn(
        { r_third: 'greatest(intDiv(r_second + intDiv(r_square, r_second), 2), toInt256(1))' },
        'multiIf(r_square > r_third * r_third + r_third, r_third + 1, r_square <= r_third * r_third - r_third, r_third - 1, r_third)',
      ),
    ),
  ),
);
