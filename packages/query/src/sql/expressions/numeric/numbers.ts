import type { Expression } from '../../expression.ts';
import { unsupportedSql } from '../../sql-compile-error.ts';
import { numericType, toScalarType } from '../../types.ts';
import { modulo, numericRemainder } from './arithmetic.ts';
import { rescale, scaleOf, copyDisplayScale, dropLiteral } from './numeric-scale.ts';
import { integerOrNull } from './number-casts.ts';
import { unsupportedFunction } from '../unsupported.ts';
import type { FunctionRule, Parameter } from '../function-rule.ts';
import { letOperandsIn, compileCastToEngineType, maxDigitsOf, nullIfNotFinite } from '../engine-sql.ts';

const wholes = ['smallint', 'integer', 'bigint'] as const;
const double = toScalarType('double precision');

type Emit = (...operands: string[]) => string;

/** Creates a rule for a function of doubles, which returns NULL where the result is not finite. */
const ofDoubles = (name: string, count: number, emit: Emit): FunctionRule => ({
  name,
  parameters: Array.from({ length: count }, (): Parameter => 'double precision'),
  result: double,
  emit: (args) => nullIfNotFinite(emit(...args.map(({ sql }) => sql))),
});

const ofWholes = (name: string, count: number, emit: Emit): FunctionRule[] =>
  wholes.map((type) => ({
    name,
    parameters: Array.from({ length: count }, () => type),
    result: toScalarType(type),
    emit: (args) => integerOrNull(emit(...args.map(({ sql }) => sql)), type),
  }));

const first = (args: readonly Expression[]): Expression => args[0] as Expression;

const ofNumeric = (name: string, emit: (value: Expression) => Expression): FunctionRule => ({
  name,
  parameters: ['numeric'],
  result: numericType(0),
  emit: (args, at) => ({ ...dropLiteral(emit(first(args))), at }),
});

/** Rounds to a numeric of scale 0 with an engine function. */
const toWhole =
  (engineName: string) =>
  (value: Expression): Expression => ({
    ...value,
    sql: compileCastToEngineType(`${engineName}(${value.sql})`, numericType(0)),
    type: numericType(0),
    digits: maxDigitsOf(value) - scaleOf(value) + 1,
  });

/** The maximum number of digits for round and trunc. */
const maxRoundDigits = 38;

/**
 * round(value, digits) and trunc(value, digits). The digits must be a constant, because they are the scale of the
 * result.
 */
const toDigits = (name: 'round' | 'trunc'): FunctionRule => ({
  name,
  parameters: ['numeric', 'integer'],
  result: numericType(0),
  emit: (args, at) => {
    const [value, count] = args as [Expression, Expression];
    if (count.literal === null)
      return { sql: compileCastToEngineType('NULL', numericType(0)), type: numericType(0), at };
    const digits = Number(count.literal);
    if (count.literal === undefined || digits > maxRoundDigits || digits < -maxRoundDigits) {
      throw unsupportedSql(
        `the function ${name} with digits other than a constant number up to ${String(maxRoundDigits)}`,
        count.at,
        'Write the digits as a number, as in round(x, 2).',
      );
    }
    if (digits >= scaleOf(value)) return { ...dropLiteral(rescale(value, digits)), at };
    const type = numericType(Math.max(digits, 0));
    const sql = compileCastToEngineType(`${name}(${value.sql}, ${String(digits)})`, type);
    return { sql, type, digits: maxDigitsOf(value) - scaleOf(value) + type.scale + 1, at };
  },
});

const refusedNumeric = (name: string, count: number): FunctionRule => ({
  name,
  parameters: Array.from({ length: count }, (): Parameter => 'numeric'),
  result: numericType(0),
  emit: (_, at) => {
    throw unsupportedSql(
      `the function ${name} of numeric`,
      at,
      'Cast to double precision first, as in x::float8.',
    );
  },
});

/**
 * The result is not finite, and thus NULL, where PostgreSQL fails: 0 to a negative power, or a root of a negative
 * number.
 */
const power = (base: string, exponent: string): string => `pow(${base}, ${exponent})`;

const sign = (value: string): string => `toFloat64(sign(${value}))`;

/** The absolute value: abs(x), or the prefix operator @. */
export const compileAbs = (name: string): FunctionRule[] => [
  ...ofWholes(name, 1, (value = '') => `abs(${value})`),
  ofNumeric(name, (value) => copyDisplayScale(value, { ...value, sql: `abs(${value.sql})` })),
  ofDoubles(name, 1, (value = '') => `abs(${value})`),
];

export const numberFunctions: readonly FunctionRule[] = [
  ...compileAbs('abs'),
  unsupportedFunction('gcd', 'numeric', 'numeric'),
  unsupportedFunction('lcm', 'numeric', 'numeric'),
  ...['ceil', 'ceiling'].flatMap((name) => [
    ofNumeric(name, toWhole('ceil')),
    ofDoubles(name, 1, (value = '') => `ceil(${value})`),
  ]),
  ofNumeric('floor', toWhole('floor')),
  ofDoubles('floor', 1, (value = '') => `floor(${value})`),
  ofNumeric('round', (value) => rescale(value, 0)),
  ofDoubles('round', 1, (value = '') => `round(${value})`),
  toDigits('round'),
  ofNumeric('trunc', toWhole('trunc')),
  { ...ofDoubles('trunc', 1, (value = '') => `trunc(${value})`), amongOthers: true },
  toDigits('trunc'),
  ...ofWholes('mod', 2, (a = '', b = '') => modulo(a, b)),
  {
    name: 'mod',
    parameters: ['numeric', 'numeric'],
    result: numericType(0),
    emit: (args, at) => numericRemainder(...(args as [Expression, Expression]), at),
  },
  ...['power', 'pow'].flatMap((name) => [
    ofDoubles(name, 2, (a = '', b = '') => power(a, b)),
    refusedNumeric(name, 2),
  ]),
  ...['sqrt', 'exp', 'ln', 'log', 'log10'].map((name) => refusedNumeric(name, 1)),
  refusedNumeric('log', 2),
  ofDoubles('sqrt', 1, (value = '') => `sqrt(${value})`),
  ofDoubles('cbrt', 1, (value = '') => `cbrt(${value})`),
  ofDoubles('exp', 1, (value = '') => `exp(${value})`),
  ofDoubles('ln', 1, (value = '') => `log(${value})`),
  ...['log', 'log10'].map((name) => ofDoubles(name, 1, (value = '') => `log10(${value})`)),
  ofDoubles('sign', 1, (value = '') => sign(value)),
  ofNumeric('sign', (value) => ({
    ...value,
    sql: compileCastToEngineType(`sign(${value.sql})`, numericType(0)),
    type: numericType(0),
    digits: 1,
  })),
  ofDoubles('degrees', 1, (value = '') => `(${value} / 0.017453292519943295)`),
  ofDoubles('radians', 1, (value = '') => `(${value} * 0.017453292519943295)`),
  ofDoubles('pi', 0, () => 'CAST(3.141592653589793 AS Nullable(Float64))'),
  ...['sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'sinh', 'cosh', 'tanh', 'asinh', 'acosh', 'atanh'].map(
    (name) => ofDoubles(name, 1, (value = '') => `${name}(${value})`),
  ),
  ofDoubles('atan2', 2, (a = '', b = '') => `atan2(${a}, ${b})`),
  {
    name: 'div',
    parameters: ['numeric', 'numeric'],
    result: numericType(0),
    emit: (_, at) => {
      throw unsupportedSql('the function div of numeric', at, 'Cast to bigint first, or write trunc(a / b).');
    },
  },
  ...(['integer', 'bigint'] as const).flatMap((type): FunctionRule[] => [
    {
      name: 'gcd',
      parameters: [type, type],
      result: toScalarType(type),
      emit: ([a, b]) => integerOrNull(divisor(a?.sql ?? '', b?.sql ?? ''), type),
    },
    {
      name: 'lcm',
      parameters: [type, type],
      result: toScalarType(type),
      emit: ([a, b]) =>
        integerOrNull(
          letOperandsIn(
            [a?.sql ?? '', b?.sql ?? ''],
            (x, y) => `if(${x} = 0 OR ${y} = 0, 0 * ${x} * ${y}, ${multiple(x, y)})`,
          ),
          type,
        ),
    },
  ]),
];

/** An argument for the engine's gcd, which fails for 0 and computes with 0 for NULL: both become 1. */
const nonZero = (value: string): string =>
  `if(ifNull(${value}, 0) = 0, toInt128(1), abs(toInt128(ifNull(${value}, 1))))`;

/** Compiles gcd: NULL if an argument is NULL, and the other number if one is 0. */
const divisor = (a: string, b: string): string =>
  letOperandsIn([a, b], (x, y) => {
    return `multiIf(isNull(${x}) OR isNull(${y}), NULL, ${x} = 0, abs(toInt128(${y})), ${y} = 0, abs(toInt128(${x})), toInt128(gcd(${nonZero(x)}, ${nonZero(y)})))`;
  });

const multiple = (x: string, y: string): string =>
  `intDivOrNull(abs(toInt256(${x})), toInt256(${divisor(x, y)})) * abs(toInt256(${y}))`;
