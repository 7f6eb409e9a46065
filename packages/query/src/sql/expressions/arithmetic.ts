import type { Expression } from '../expression.ts';
import { unsupported } from '../fault.ts';
import { isVaried, numeric, numericDigits, scalar } from '../types.ts';
import { quotientOf } from './division.ts';
import { digitsAtScale, fitting, scaleOf, unscaled, withDigitsOf, withShownDigits } from './decimals.ts';
import { inBounds } from './number-casts.ts';
import type { FunctionRule } from './rule.ts';
import { bind, castSql, digitsOf, finite, powerOfTen, within } from './sql-text.ts';

type Pair = readonly [Expression, Expression];
const pair = (args: readonly Expression[]): Pair => args as Pair;

const wholes = ['smallint', 'integer', 'bigint'] as const;

const largest = 2n ** 63n - 1n;

/** The whole number that a compiled literal is. */
function literalOf(sql: string): bigint | undefined {
  const digits = /^CAST\((-?\d+) AS Nullable\(Int64\)\)$/.exec(sql)?.[1];
  return digits === undefined ? undefined : BigInt(digits);
}

/** A bigint and a number known beforehand, NULL where the sum is out of bounds: several times faster than with wider numbers. */
function shifted(sql: string, by: bigint): string {
  if (by === 0n) return sql;
  const beyond = by > 0n ? `> ${String(largest - by)}` : `< ${String(-largest - 1n - by)}`;
  return `if(${sql} ${beyond}, NULL, ${sql} + toInt64(${String(by)}))`;
}

/** A sum or difference of bigints, NULL where it is out of bounds. */
function bigintSum(sign: '+' | '-', a: string, b: string): string {
  const [first, second] = [literalOf(a), literalOf(b)];
  if (second !== undefined && second > -largest)
    return bind([a], (value) => shifted(value, sign === '+' ? second : -second));
  if (first !== undefined && first > -largest && sign === '+')
    return bind([b], (value) => shifted(value, first));
  return inBounds(`toInt128(${a}) ${sign} toInt128(${b})`, 'bigint');
}

const wholeRule = (
  name: string,
  emit: (a: string, b: string, type: (typeof wholes)[number]) => string,
  bigint?: (a: string, b: string) => string,
): FunctionRule[] =>
  wholes.map((type) => ({
    name,
    parameters: [type, type],
    result: scalar(type),
    emit: (args) => {
      const [a, b] = pair(args);
      if (type === 'bigint' && bigint !== undefined) return bigint(a.sql, b.sql);
      return inBounds(emit(a.sql, b.sql, type), type);
    },
  }));

const wholeSum = (sign: '+' | '-'): FunctionRule[] =>
  wholeRule(
    sign,
    (a, b) => `${a} ${sign} ${b}`,
    (a, b) => bigintSum(sign, a, b),
  );

const times = (a: string, b: string, type: string): string =>
  type === 'bigint' ? `toInt128(${a}) * toInt128(${b})` : `${a} * ${b}`;

const doubleRule = (sign: string): FunctionRule => ({
  name: sign,
  parameters: ['double precision', 'double precision'],
  result: scalar('double precision'),
  emit: (args) => {
    const [a, b] = pair(args);
    return finite(`(${a.sql} ${sign} ${b.sql})`);
  },
});

const numericRule = (
  name: string,
  emit: (a: Expression, b: Expression, at: number) => Expression,
): FunctionRule => ({
  name,
  parameters: ['numeric', 'numeric'],
  result: numeric(0),
  emit: (args, at) => emit(...pair(args), at),
});

const someVaried = (a: Expression, b: Expression): boolean => isVaried(a.type) || isVaried(b.type);

const largerScale = (a: Expression, b: Expression): number => Math.max(scaleOf(a), scaleOf(b));

const sum =
  (sign: '+' | '-') =>
  (a: Expression, b: Expression, at: number): Expression => {
    const scale = largerScale(a, b);
    const before = Math.max(digitsOf(a) - scaleOf(a), digitsOf(b) - scaleOf(b));
    const digits = Math.min(before + scale + 1, numericDigits);
    const type = numeric(scale, someVaried(a, b));
    const sql =
      before + scale + 1 <= numericDigits
        ? castSql(`(${a.sql} ${sign} ${b.sql})`, type)
        : fitting(`(${digitsAtScale(a, scale)} ${sign} ${digitsAtScale(b, scale)})`, scale);
    const value = { sql, type, digits, at };
    return withShownDigits(value, a, b, (first, second) => `greatest(${first}, ${second})`);
  };

/** Above this scale a product leaves too few digits before the point. */
const largestScale = 44;

function product(a: Expression, b: Expression, at: number): Expression {
  const scale = scaleOf(a) + scaleOf(b);
  if (scale > largestScale) {
    throw unsupported(
      `a product with ${String(scale)} digits after the point`,
      at,
      'Round its factors first, as in CAST(x AS numeric(20, 6)).',
    );
  }
  const type = numeric(scale, someVaried(a, b));
  const digits = digitsOf(a) + digitsOf(b);
  const shown = (value: Expression): Expression =>
    withShownDigits(value, a, b, (first, second) => `(${first} + ${second})`);
  if (digits <= numericDigits) return shown({ sql: `(${a.sql} * ${b.sql})`, type, digits, at });
  const sql = bind([unscaled(a.sql), unscaled(b.sql)], (x, y) => {
    const safe = `abs(toFloat64(${x})) * abs(toFloat64(${y})) < 5e76`;
    return fitting(`if(${safe}, ${x} * ${y}, NULL)`, scale);
  });
  return shown({ sql, type, digits: numericDigits, at });
}

function remainder(a: Expression, b: Expression, at: number): Expression {
  const scale = largerScale(a, b);
  const dividend = within(digitsAtScale(a, scale), powerOfTen(numericDigits));
  const sql = fitting(`moduloOrNull(${dividend}, ${digitsAtScale(b, scale)})`, scale);
  const value = { sql, type: numeric(scale, someVaried(a, b)), at };
  return withShownDigits(value, a, b, (first, second) => `greatest(${first}, ${second})`);
}

const negative: FunctionRule[] = [
  ...wholes.map((type): FunctionRule => ({
    name: '-',
    parameters: [type],
    result: scalar(type),
    emit: ([value]) =>
      inBounds(type === 'bigint' ? `-toInt128(${value?.sql ?? ''})` : `-${value?.sql ?? ''}`, type),
  })),
  {
    name: '-',
    parameters: ['numeric'],
    result: numeric(0),
    emit: ([value], at) => {
      if (value === undefined) return unsupportedOperand(at);
      return withDigitsOf(value, { sql: `negate(${value.sql})`, type: value.type, at });
    },
  },
  {
    name: '-',
    parameters: ['double precision'],
    result: scalar('double precision'),
    emit: ([value]) => `negate(${value?.sql ?? ''})`,
  },
];

const positive: FunctionRule[] = [...wholes, 'numeric' as const, 'double precision' as const].map((type) => ({
  name: '+',
  parameters: [type],
  result: type === 'numeric' ? numeric(0) : scalar(type),
  emit: ([value], at) => value ?? unsupportedOperand(at),
}));

const unsupportedOperand = (at: number): never => {
  throw unsupported('an operator without operand', at, 'Write a value behind it.');
};

export const modulo = (a: string, b: string): string => `moduloOrNull(toInt128(${a}), toInt128(${b}))`;

export { remainder as numericRemainder };

/** Operators that have a function's name too. */
const named: FunctionRule[] = [
  {
    name: '^',
    parameters: ['double precision', 'double precision'],
    result: scalar('double precision'),
    emit: (args) => finite(`pow(${args.map(({ sql }) => sql).join(', ')})`),
  },
  {
    name: '^',
    parameters: ['numeric', 'numeric'],
    result: numeric(0),
    emit: (_, at) => {
      throw unsupported('the operator ^ of numeric', at, 'Cast to double precision first, as in x::float8.');
    },
  },
  ...Object.entries({ '|/': 'sqrt', '||/': 'cbrt' }).map(([name, engineName]): FunctionRule => ({
    name,
    parameters: ['double precision'],
    result: scalar('double precision'),
    emit: ([value]) => finite(`${engineName}(${value?.sql ?? ''})`),
  })),
];

export const arithmeticRules: readonly FunctionRule[] = [
  ...wholeSum('+'),
  ...wholeSum('-'),
  ...wholeRule('*', times),
  ...wholeRule('/', (a, b) => `intDivOrNull(${a}, ${b})`),
  ...wholeRule('%', modulo),
  ...['+', '-', '*', '/'].map(doubleRule),
  numericRule('+', sum('+')),
  numericRule('-', sum('-')),
  numericRule('*', product),
  numericRule('/', quotientOf),
  numericRule('%', remainder),
  ...negative,
  ...positive,
  ...named,
];
