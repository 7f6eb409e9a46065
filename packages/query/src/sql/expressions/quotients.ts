/**
 * Engine SQL that computes some values once and names them in a further piece. Names stand for values inside `body` alone;
 * nested ones must differ.
 */
export const named = (values: Readonly<Record<string, string>>, body: string): string => {
  const names = Object.keys(values);
  const lists = Object.values(values).map((sql) => `[${sql}]`);
  return `arrayMap((${names.join(', ')}) -> ${body}, ${lists.join(', ')})[1]`;
};

/** A whole number of 256 bits as a decimal with so many digits after the point. */
export const decimalOf = (whole: string, scale: number): string =>
  `reinterpret(${whole}, 'Decimal(76, ${String(scale)})')`;

/** Ten to a power from 0 to 30 that a row gives, as 256 bits. */
const tenTo = (exponent: string): string =>
  `(toInt256(intExp10(least(${exponent}, 15))) * toInt256(intExp10(greatest(${exponent} - 15, 0))))`;

/** Where the first of PostgreSQL's digits of four places stands, and what it is. */
function firstDigit(size: string, scale: number): { weight: string; digit: string } {
  const padding = (4 - (scale % 4)) % 4;
  const text = `toString(${size})`;
  const last = `toInt32(length(${text}) + ${String(padding - 1)})`;
  const padded = padding === 0 ? text : `concat(${text}, '${'0'.repeat(padding)}')`;
  return {
    weight: `if(${size} = 0, 0, intDiv(${last}, 4) - ${String((scale + padding) / 4)})`,
    digit: `toInt32(substring(${padded}, 1, ${last} % 4 + 1))`,
  };
}

/** How many digits after the point a quotient has: PostgreSQL's select_div_scale, though no more than `scale`. */
function quotientDigits(above: string, below: string, aboveScale: number, scale: number): string {
  const first = firstDigit(above, aboveScale);
  const second = firstDigit(below, 0);
  const weight = `(${first.weight} - (${second.weight}) - (${first.digit} <= ${second.digit}))`;
  return `toInt32(least(greatest(16 - 4 * ${weight}, ${String(aboveScale)}), ${String(scale)}))`;
}

/**
 * A quotient of two whole numbers of 256 bits as PostgreSQL's division of numerics gives it: rounded away from zero to the
 * digits that it chooses by the sizes of both (at least 16 that matter), though no more than `scale`.
 * @param numerator counts in units of 10^-numeratorScale
 * @param denominator a positive whole number
 * @param root takes the square root of the quotient, to the same digits
 * @returns engine SQL, Nullable(Decimal(76, scale)); NULL where the numbers do not fit into the engine
 */
export function quotient(
  numerator: string,
  denominator: string,
  numeratorScale: number,
  scale: number,
  root?: 'root',
): string {
  const shift = `(q_digits - ${String(numeratorScale)})`;
  const rounded = `intDiv(q_size * ${tenTo(shift)} * 2 + q_below, q_below * 2)`;
  const whole = `(${root === 'root' ? squareRoot : 'q_rounded'} * ${tenTo(`(${String(scale)} - q_digits)`)})`;
  const signed = `if(q_above < 0, -${whole}, ${whole})`;
  const fits = `toFloat64(q_size) * exp10(${shift}) < 1e76 AND toFloat64(q_size) / toFloat64(q_below) * 1e${String(scale - numeratorScale)} < 1e75`;
  const value = `if(${fits}, toNullable(${decimalOf(signed, scale)}), NULL)`;
  const withRounded = named({ q_rounded: rounded }, value);
  const withDigits = named(
    { q_digits: quotientDigits('q_size', 'q_below', numeratorScale, scale) },
    withRounded,
  );
  const withSize = named({ q_size: 'toInt256(abs(q_above))' }, withDigits);
  return named({ q_above: numerator, q_below: denominator }, withSize);
}

/**
 * The square root of `q_rounded` in the same units of 10^-q_digits, rounded. The root of doubles is made exact by two steps of
 * Newton's method and a last look at its neighbours.
 */
const squareRoot = named(
  { r_square: `(q_rounded * ${tenTo('q_digits')})` },
  named(
    { r_first: 'greatest(toInt256(sqrt(toFloat64(r_square))), toInt256(1))' },
    named(
      { r_second: 'greatest(intDiv(r_first + intDiv(r_square, r_first), 2), toInt256(1))' },
      named(
        { r_third: 'greatest(intDiv(r_second + intDiv(r_square, r_second), 2), toInt256(1))' },
        'multiIf(r_square > r_third * r_third + r_third, r_third + 1, r_square <= r_third * r_third - r_third, r_third - 1, r_third)',
      ),
    ),
  ),
);
