import type { Expression } from '../../expression.ts';
import { unsupportedSql } from '../../sql-compile-error.ts';
import { hasVaryingScale, numericType, numericDigits, toScalarType } from '../../types.ts';
import { compileNumericDivision } from './numeric-division.ts';
import {
  unscaledAtScale,
  fromUnscaledOrNull,
  scaleOf,
  toUnscaledInteger,
  copyDisplayScale,
  combineDisplayScale,
} from './numeric-scale.ts';
import { integerOrNull } from './number-casts.ts';
import type { FunctionRule } from '../function-rule.ts';
import {
  letOperandsIn,
  compileCastToEngineType,
  maxDigitsOf,
  nullIfNotFinite,
  powerOfTen,
  nullIfOutOfBounds,
} from '../engine-sql.ts';

type Pair = readonly [Expression, Expression];
const pair = (args: readonly Expression[]): Pair => args as Pair;

const wholes = ['smallint', 'integer', 'bigint'] as const;

const largest = 2n ** 63n - 1n;

/** The value of a compiled integer literal. */
function literalOf(sql: string): bigint | undefined {
  const digits = /^CAST\((-?\d+) AS Nullable\(Int64\)\)$/.exec(sql)?.[1];
  return digits === undefined ? undefined : BigInt(digits);
}

/** Adds a constant to a bigint; NULL out of range. This is several times faster than a computation with wider numbers. */
function shifted(sql: string, by: bigint): string {
  if (by === 0n) return sql;
  const beyond = by > 0n ? `> ${String(largest - by)}` : `< ${String(-largest - 1n - by)}`;
  return `if(${sql} ${beyond}, NULL, ${sql} + toInt64(${String(by)}))`;
}

/** The sum or difference of bigints; NULL out of range. */
function bigintSum(sign: '+' | '-', a: string, b: string): string {
  const [first, second] = [literalOf(a), literalOf(b)];
  if (second !== undefined && second > -largest)
    return letOperandsIn([a], (value) => shifted(value, sign === '+' ? second : -second));
  if (first !== undefined && first > -largest && sign === '+')
    return letOperandsIn([b], (value) => shifted(value, first));
  return integerOrNull(`toInt128(${a}) ${sign} toInt128(${b})`, 'bigint');
}

const wholeRule = (
  name: string,
  emit: (a: string, b: string, type: (typeof wholes)[number]) => string,
  bigint?: (a: string, b: string) => string,
): FunctionRule[] =>
  wholes.map((type) => ({
    name,
    parameters: [type, type],
    result: toScalarType(type),
    emit: (args) => {
      const [a, b] = pair(args);
      if (type === 'bigint' && bigint !== undefined) return bigint(a.sql, b.sql);
      return integerOrNull(emit(a.sql, b.sql, type), type);
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
  result: toScalarType('double precision'),
  emit: (args) => {
    const [a, b] = pair(args);
    return nullIfNotFinite(`(${a.sql} ${sign} ${b.sql})`);
  },
});

const numericRule = (
  name: string,
  emit: (a: Expression, b: Expression, at: number) => Expression,
): FunctionRule => ({
  name,
  parameters: ['numeric', 'numeric'],
  result: numericType(0),
  emit: (args, at) => emit(...pair(args), at),
});

const someVaried = (a: Expression, b: Expression): boolean =>
  hasVaryingScale(a.type) || hasVaryingScale(b.type);

const largerScale = (a: Expression, b: Expression): number => Math.max(scaleOf(a), scaleOf(b));

const sum =
  (sign: '+' | '-') =>
  (a: Expression, b: Expression, at: number): Expression => {
    const scale = largerScale(a, b);
    const before = Math.max(maxDigitsOf(a) - scaleOf(a), maxDigitsOf(b) - scaleOf(b));
    const digits = Math.min(before + scale + 1, numericDigits);
    const type = numericType(scale, someVaried(a, b));
    const sql =
      before + scale + 1 <= numericDigits
        ? compileCastToEngineType(`(${a.sql} ${sign} ${b.sql})`, type)
        : fromUnscaledOrNull(`(${unscaledAtScale(a, scale)} ${sign} ${unscaledAtScale(b, scale)})`, scale);
    const value = { sql, type, digits, at };
    return combineDisplayScale(value, a, b, (first, second) => `greatest(${first}, ${second})`);
  };

/** Products with a larger scale leave too few digits before the point. */
const largestScale = 44;

function product(a: Expression, b: Expression, at: number): Expression {
  const scale = scaleOf(a) + scaleOf(b);
  if (scale > largestScale) {
    throw unsupportedSql(
      `a product with ${String(scale)} digits after the point`,
      at,
      'Round its factors first, as in CAST(x AS numeric(20, 6)).',
    );
  }
  const type = numericType(scale, someVaried(a, b));
  const digits = maxDigitsOf(a) + maxDigitsOf(b);
  const withDisplayScale = (value: Expression): Expression =>
    combineDisplayScale(value, a, b, (first, second) => `(${first} + ${second})`);
  if (digits <= numericDigits) return withDisplayScale({ sql: `(${a.sql} * ${b.sql})`, type, digits, at });
  const sql = letOperandsIn([toUnscaledInteger(a.sql), toUnscaledInteger(b.sql)], (x, y) => {
    const safe = `abs(toFloat64(${x})) * abs(toFloat64(${y})) < 5e76`;
    return fromUnscaledOrNull(`if(${safe}, ${x} * ${y}, NULL)`, scale);
  });
  return withDisplayScale({ sql, type, digits: numericDigits, at });
}

function remainder(a: Expression, b: Expression, at: number): Expression {
  const scale = largerScale(a, b);
  const dividend = nullIfOutOfBounds(unscaledAtScale(a, scale), powerOfTen(numericDigits));
  const sql = fromUnscaledOrNull(`moduloOrNull(${dividend}, ${unscaledAtScale(b, scale)})`, scale);
  const value = { sql, type: numericType(scale, someVaried(a, b)), at };
  return combineDisplayScale(value, a, b, (first, second) => `greatest(${first}, ${second})`);
}

const negative: FunctionRule[] = [
  ...wholes.map((type): FunctionRule => ({
    name: '-',
    parameters: [type],
    result: toScalarType(type),
    emit: ([value]) =>
      integerOrNull(type === 'bigint' ? `-toInt128(${value?.sql ?? ''})` : `-${value?.sql ?? ''}`, type),
  })),
  {
    name: '-',
    parameters: ['numeric'],
    result: numericType(0),
    emit: ([value], at) => {
      if (value === undefined) return unsupportedOperand(at);
      return copyDisplayScale(value, { sql: `negate(${value.sql})`, type: value.type, at });
    },
  },
  {
    name: '-',
    parameters: ['double precision'],
    result: toScalarType('double precision'),
    emit: ([value]) => `negate(${value?.sql ?? ''})`,
  },
];

const positive: FunctionRule[] = [...wholes, 'numeric' as const, 'double precision' as const].map((type) => ({
  name: '+',
  parameters: [type],
  result: type === 'numeric' ? numericType(0) : toScalarType(type),
  emit: ([value], at) => value ?? unsupportedOperand(at),
}));

const unsupportedOperand = (at: number): never => {
  throw unsupportedSql('an operator without operand', at, 'Write a value behind it.');
};

export const modulo = (a: string, b: string): string => `moduloOrNull(toInt128(${a}), toInt128(${b}))`;

export { remainder as numericRemainder };

/** Operators that also have a function name. */
const named: FunctionRule[] = [
  {
    name: '^',
    parameters: ['double precision', 'double precision'],
    result: toScalarType('double precision'),
    emit: (args) => nullIfNotFinite(`pow(${args.map(({ sql }) => sql).join(', ')})`),
  },
  {
    name: '^',
    parameters: ['numeric', 'numeric'],
    result: numericType(0),
    emit: (_, at) => {
      throw unsupportedSql(
        'the operator ^ of numeric',
        at,
        'Cast to double precision first, as in x::float8.',
      );
    },
  },
  ...Object.entries({ '|/': 'sqrt', '||/': 'cbrt' }).map(([name, engineName]): FunctionRule => ({
    name,
    parameters: ['double precision'],
    result: toScalarType('double precision'),
    emit: ([value]) => nullIfNotFinite(`${engineName}(${value?.sql ?? ''})`),
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
  numericRule('/', compileNumericDivision),
  numericRule('%', remainder),
  ...negative,
  ...positive,
  ...named,
];
