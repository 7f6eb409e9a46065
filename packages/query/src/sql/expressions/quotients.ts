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

/** Ten to a power that a row gives, as 256 bits: written as digits, since the engine takes longer to read a calculation. */
const tenTo = (exponent: string): string => `toInt256OrZero(rightPad('1', ${exponent} + 1, '0'))`;

/**
 * How many digits after the point a quotient has: PostgreSQL's select_div_scale, though no more than `scale`. It looks at
 * where the first of its digits of four places stands in both, and what it is.
 */
function quotientDigits(above: string, below: string, aboveScale: number, scale: number): string {
  const padding = (4 - (aboveScale % 4)) % 4;
  const shifted = (aboveScale + padding) / 4;
  const text = padding === 0 ? `toString(${above})` : `concat(toString(${above}), '${'0'.repeat(padding)}')`;
  const first = '(intDiv(length(t) - 1, 4), toInt32(substring(t, 1, (length(t) - 1) % 4 + 1)))';
  const places = `arrayMap(t -> ${first}, [${text}, toString(${below})])`;
  const weight = shifted === 0 ? 'q_first[1].1' : `if(${above} = 0, 0, q_first[1].1 - ${String(shifted)})`;
  const digits = `16 - 4 * (${weight} - q_first[2].1 - (q_first[1].2 <= q_first[2].2))`;
  return named(
    { q_first: places },
    `toInt32(least(greatest(${digits}, ${String(aboveScale)}), ${String(scale)}))`,
  );
}

export interface QuotientOptions {
  /** Takes the square root of the quotient, to the same digits. */
  readonly root?: boolean;
  /** The numerator has at most 39 digits and no point, and the quotient at most 19 before the point: it fits always. */
  readonly isSmall?: boolean;
}

/**
 * A quotient of two whole numbers of 256 bits as PostgreSQL's division of numerics gives it: rounded away from zero to the
 * digits that it chooses by the sizes of both (at least 16 that matter), though no more than `scale`.
 * @param numerator counts in units of 10^-numeratorScale
 * @param denominator a positive whole number
 * @returns engine SQL, Nullable(Decimal(76, scale)); NULL where the numbers do not fit into the engine
 */
export function quotient(
  numerator: string,
  denominator: string,
  numeratorScale: number,
  scale: number,
  { root = false, isSmall = false }: QuotientOptions = {},
): string {
  const shift = numeratorScale === 0 ? 'q_digits' : `(q_digits - ${String(numeratorScale)})`;
  const rounded = `intDiv(q_size * ${tenTo(shift)} * 2 + q_below, q_below * 2)`;
  const whole = root ? named({ q_rounded: rounded }, squareRoot) : rounded;
  const signed = `${whole} * ${tenTo(`${String(scale)} - q_digits`)} * if(q_above < 0, -1, 1)`;
  const fits = `toFloat64(q_size) * exp10(${shift}) < 1e76 AND toFloat64(q_size) / toFloat64(q_below) * 1e${String(scale - numeratorScale)} < 1e75`;
  const decimal = `toNullable(${decimalOf(signed, scale)})`;
  const value = isSmall ? decimal : `if(${fits}, ${decimal}, NULL)`;
  const withDigits = named({ q_digits: quotientDigits('q_size', 'q_below', numeratorScale, scale) }, value);
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
