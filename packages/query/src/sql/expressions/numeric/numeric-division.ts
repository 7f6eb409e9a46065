import { letIn } from '../engine-sql.ts';
import { firstDigit, paddedDigits, selectDivisionScale, shiftOfScale } from './division-scale.ts';
import type { Expression } from '../../expression.ts';
import { unsupportedSql } from '../../sql-compile-error.ts';
import { numericType } from '../../types.ts';
import {
  divisionScale,
  hasRowScale,
  fromUnscaledInteger,
  scaleOf,
  displayScale,
  toUnscaledInteger,
} from './numeric-scale.ts';

/** The scale of quotients in the engine. It is large enough for the quotient of any two integers. */
const quotientScale = 36;

/** Compiles a power of ten as Int256, for an exponent that varies by row, from 0 to `most`, a multiple of 18. */
const tenTo = (exponent: string, most = 54): string =>
  Array.from({ length: most / 18 }, (_, step) => step * 18)
    .map((step) => `toInt256(intExp10(least(greatest(${exponent} - ${String(step)}, 0), 18)))`)
    .join(' * ');

/** The position and value of the first base-10000 digit of a number, as one number. Zero has none. */
function firstDigitOf(size: string, scale: number): string {
  const digits = paddedDigits(`ifNull(toString(${size}), '0')`, scale);
  return `if(${size} = 0, 0, ${firstDigit(digits)} - ${String(shiftOfScale(scale))})`;
}

/** The scales in a division: constant, or varying by row. */
interface Scales {
  /** Values to bind to names: the scales that vary by row. */
  readonly values: Readonly<Record<string, string>>;
  /** The scale of the divisor minus that of the dividend. */
  readonly difference: string;
  /** The larger of both scales. */
  readonly least: string;
  /** The operands as integers, in units of their last digit. */
  readonly dividend: string;
  readonly divisor: string;
}

const written = (above: number, below: number): Scales => ({
  values: {},
  difference: String(below - above),
  least: String(Math.max(above, below)),
  dividend: 'd_x',
  divisor: 'd_y',
});

/** Compiles the digits of a numeric without the zeros after its displayed scale. */
const inOwnUnits = (size: string, value: Expression, digits: string): string =>
  !hasRowScale(value) ? size : `intDivOrNull(${size}, ${tenTo(`(${String(scaleOf(value))} - ${digits})`)})`;

/**
 * Returns the scales of a division with operands whose displayed scale varies by row. Such operands are stored with
 * more digits after the point than PostgreSQL displays. The further digits are 0, and removing them keeps the numbers
 * small.
 */
function ofRows(a: Expression, b: Expression, shownAbove: string, shownBelow: string): Scales {
  return {
    values: {
      d_above: `toInt32(ifNull(${shownAbove}, 0))`,
      d_below: `toInt32(ifNull(${shownBelow}, 0))`,
    },
    difference: 'd_below - d_above',
    least: 'greatest(d_above, d_below)',
    dividend: inOwnUnits('d_x', a, 'd_above'),
    divisor: inOwnUnits('d_y', b, 'd_below'),
  };
}

/**
 * Compiles a division of numerics, rounded half away from zero to the scale that PostgreSQL chooses by the size of both
 * (its select_div_scale). NULL for a division by zero, and if the quotient does not fit.
 */
export function compileNumericDivision(a: Expression, b: Expression, at: number): Expression {
  const [above, below] = [scaleOf(a), scaleOf(b)];
  const [shownAbove, shownBelow] = [divisionScale(a), divisionScale(b)];
  if (shownAbove === undefined || shownBelow === undefined) {
    throw unsupportedSql(
      'a division of a numeric whose digits after the point are not known',
      at,
      'Round it first, as in round(x, 6).',
    );
  }
  const isOfRow = hasRowScale(a) || hasRowScale(b);
  const scales = isOfRow ? ofRows(a, b, shownAbove, shownBelow) : written(above, below);
  const difference = `(${firstDigitOf('d_x', above)} - ${firstDigitOf('d_y', below)})`;
  const digits = `toInt32(${selectDivisionScale(difference, scales.least)})`;

  const [x, y] = isOfRow ? ['d_u', 'd_v'] : ['d_x', 'd_y'];
  const shift = `(d_digits + ${scales.difference})`;
  const rounded = `intDivOrNull(${x} * ${tenTo(shift, isOfRow ? 72 : 54)} * 2 + ${y}, ${y} * 2)`;
  const whole = `${rounded} * ${tenTo(`(${String(quotientScale)} - d_digits)`)}`;
  const places = isOfRow
    ? `exp10(${String(quotientScale)} + ${scales.difference})`
    : `1e${String(quotientScale + below - above)}`;
  const fits = [
    `d_digits <= ${String(quotientScale)}`,
    `toFloat64(${x}) * exp10(${shift}) < 2e76`,
    `toFloat64(${x}) / toFloat64(${y}) * ${places} < 1e75`,
  ].join(' AND ');
  const value = fromUnscaledInteger(
    `if(${fits}, if((d_a < 0) != (d_b < 0), -1, 1) * ${whole}, NULL)`,
    quotientScale,
  );
  const inUnits = isOfRow ? letIn({ d_u: scales.dividend, d_v: scales.divisor }, value) : value;
  const over = (body: string): string =>
    letIn(
      { d_a: toUnscaledInteger(a.sql), d_b: toUnscaledInteger(b.sql), ...scales.values },
      letIn(
        { d_x: 'toInt256(abs(d_a))', d_y: 'nullIf(toInt256(abs(d_b)), toInt256(0))' },
        letIn({ d_digits: digits }, body),
      ),
    );
  const sql = over(inUnits);
  const isKnown = [a, b].every((value) => displayScale(value) !== undefined);
  const type = numericType(quotientScale, !isKnown);
  return { sql, type, ...(isKnown ? { rowScale: { of: sql, digits: over('d_digits') } } : {}), at };
}
