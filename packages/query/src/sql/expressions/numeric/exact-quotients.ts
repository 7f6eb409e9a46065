/**
 * Engine SQL that computes some values once and names them in a further piece. Names stand for values inside `body` alone;
 * nested ones must differ.
 */
export const letIn = (values: Readonly<Record<string, string>>, body: string): string => {
  const names = Object.keys(values);
  const lists = Object.values(values).map((sql) => `[${sql}]`);
  return `arrayMap((${names.join(', ')}) -> ${body}, ${lists.join(', ')})[1]`;
};

/** Digits after the point of averages and variances of whole numbers. */
export const averageScale = 24;

/** A whole number of 256 bits as a decimal with so many digits after the point. */
export const decimalOf = (whole: string, scale: number): string =>
  `reinterpret(${whole}, 'Decimal(76, ${String(scale)})')`;

/** Ten to a power that a row gives, as 256 bits: written as digits, since the engine takes longer to read a calculation. */
const tenTo = (exponent: string): string => `toInt256OrZero(rightPad('1', ${exponent} + 1, '0'))`;

/**
 * How many digits after the point a quotient has: PostgreSQL's select_div_scale, though no more than `scale`. It looks at
 * where the first of its digits of four places stands in both, and what it is: 10000 times the one and the other are one
 * number here.
 */
export function quotientScaleOf(above: string, below: string, aboveScale: number, scale: number): string {
  const padding = (4 - (aboveScale % 4)) % 4;
  const shifted = ((aboveScale + padding) / 4) * 10_000;
  const size = `toString(abs(${above}))`;
  const text = padding === 0 ? size : `concat(${size}, '${'0'.repeat(padding)}')`;
  const first =
    'intDiv(length(q_text) - 1, 4) * 10000 + toInt32(substring(q_text, 1, (length(q_text) - 1) % 4 + 1))';
  const sum = `arraySum(arrayMap((q_text, q_sign) -> q_sign * (${first}), [${text}, toString(${below})], [1, -1]))`;
  const apart = shifted === 0 ? sum : `(${sum} - if(${above} = 0, 0, ${String(shifted)}))`;
  return `toInt32(least(greatest(20 - 4 * ceil(${apart} / 10000), ${String(aboveScale)}), ${String(scale)}))`;
}

/** Up to this length operands are written twice, since a name that stands for them costs the engine more. */
const shortOperands = 200;

export interface QuotientOptions {
  /** Takes the square root of the quotient, to the same digits. */
  readonly root?: boolean;
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
  { root = false }: QuotientOptions = {},
): string {
  const shift = numeratorScale === 0 ? 'q_digits' : `(q_digits - ${String(numeratorScale)})`;
  // The engine leaves out what is behind the point of either sign.
  const rounded = `intDiv(q_above * ${tenTo(shift)} * 2 + if(q_above < 0, -q_below, q_below), q_below * 2)`;
  const whole = root ? letIn({ q_rounded: rounded }, squareRoot) : rounded;
  const units = `${whole} * ${tenTo(`${String(scale)} - q_digits`)}`;
  const size = 'toFloat64(abs(q_above))';
  const fits = `${size} * exp10(${shift}) < 1e76 AND ${size} / toFloat64(q_below) * 1e${String(scale - numeratorScale)} < 1e75`;
  const value = `if(${fits}, toNullable(${decimalOf(units, scale)}), NULL)`;
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
 * The average of bigints as PostgreSQL gives it, in few calls and none of them a lambda, since the engine takes long to plan
 * either. The digits are those of `quotient`: a quotient has m groups of four before the point where the total is at least
 * 10000^m times the least number above the count that has one such group and zeros. Digits behind the thirtieth cannot
 * change where it is rounded.
 * @param total a whole number of 128 bits or fewer, or NULL for none
 * @param count a whole number of 64 bits above 0
 * @returns engine SQL, Decimal(76, 30) with at most 24 digits after the point, or NULL
 */
export const bigintAverage = (total: string, count: string): string =>
  `round(toDecimal256(${total}, 30) / ${count}, ifNull(${averageScaleOf(total, count)}, 0))`;

/** How many digits after the point that average has: engine SQL of a whole number, NULL for none. */
export function averageScaleOf(total: string, count: string): string {
  const group = `roundDown(${count}, [${groupsOfDigits}])`;
  const above = `(intDiv(${count}, ${group}) + 1) * ${group}`;
  const groups = `intDiv(length(toString(intDiv(abs(toInt256(${total})) * 1${'0000'.repeat(3)}, ${above}))) - 1, 4)`;
  return `least(${String(16 + 4 * 3)} - 4 * ${groups}, ${String(averageScale)})`;
}

/**
 * The square root of `q_rounded`, which is not below zero, in the same units of 10^-q_digits, rounded. The root of doubles is made exact by two steps of
 * Newton's method and a last look at its neighbours.
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
