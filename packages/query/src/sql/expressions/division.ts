import type { Expression } from '../expression.ts';
import { unsupported } from '../fault.ts';
import { numeric } from '../types.ts';
import { scaled, scaleOf, unscaled } from './decimals.ts';
import { named } from './quotients.ts';

/** Digits after the point that a quotient keeps: those of any two whole numbers. */
const quotientScale = 36;
/** From this scale on the digits after the point come from a division before, where PostgreSQL chose them by the values. */
const chosenScale = 16;

/** Ten to a power from 0 to 54 that a row gives, as 256 bits. */
const tenTo = (exponent: string): string =>
  [0, 18, 36]
    .map((step) => `toInt256(intExp10(least(greatest(${exponent} - ${String(step)}, 0), 18)))`)
    .join(' * ');

/** Where the first of PostgreSQL's digits of four places stands, and what it is. */
function firstDigit(size: string, scale: number): { weight: string; digit: string } {
  const padding = (4 - (scale % 4)) % 4;
  const text = `concat(ifNull(toString(${size}), '0'), '${'0'.repeat(padding)}')`;
  const last = `toInt32(length(${text}) - 1)`;
  return {
    weight: `if(${size} = 0, 0, intDiv(${last}, 4) - ${String((scale + padding) / 4)})`,
    digit: `toInt32OrZero(substring(${text}, 1, ${last} % 4 + 1))`,
  };
}

/**
 * A division of numerics, rounded half away from zero to the digits that PostgreSQL chooses by the sizes of both (its
 * select_div_scale). NULL for a division by zero, and where the quotient does not fit into the engine.
 */
export function quotientOf(a: Expression, b: Expression, at: number): Expression {
  const [above, below] = [scaleOf(a), scaleOf(b)];
  if (Math.max(above, below) >= chosenScale) {
    throw unsupported(
      'a division of a numeric whose digits after the point are not known or come from another division (round it first, as in round(x, 6))',
      at,
    );
  }
  const first = firstDigit('d_x', above);
  const second = firstDigit('d_y', below);
  const weight = `(${first.weight} - (${second.weight}) - (${first.digit} <= ${second.digit}))`;
  const digits = `toInt32(greatest(16 - 4 * ${weight}, ${String(Math.max(above, below))}))`;

  const shift = `(d_digits + ${String(below - above)})`;
  const rounded = `intDivOrNull(d_x * ${tenTo(shift)} * 2 + d_y, d_y * 2)`;
  const whole = `${rounded} * ${tenTo(`(${String(quotientScale)} - d_digits)`)}`;
  const fits = [
    `d_digits <= ${String(quotientScale)}`,
    `toFloat64(d_x) * exp10(${shift}) < 2e76`,
    `toFloat64(d_x) / toFloat64(d_y) * 1e${String(quotientScale + below - above)} < 1e75`,
  ].join(' AND ');
  const value = scaled(`if(${fits}, if((d_a < 0) != (d_b < 0), -1, 1) * ${whole}, NULL)`, quotientScale);
  const withDigits = named({ d_digits: digits }, value);
  const withSizes = named(
    { d_x: 'toInt256(abs(d_a))', d_y: 'nullIf(toInt256(abs(d_b)), toInt256(0))' },
    withDigits,
  );
  const sql = named({ d_a: unscaled(a.sql), d_b: unscaled(b.sql) }, withSizes);
  return { sql, type: numeric(quotientScale), at };
}
