import type { Expression } from '../../expression.ts';
import { invalidSql } from '../../sql-compile-error.ts';
import { numericType, numericDigits, toScalarType, type NumericType } from '../../types.ts';
import {
  fromUnscaledOrNull,
  rescale,
  fromUnscaledInteger,
  scaleOf,
  toUnscaledInteger,
  dropLiteral,
} from './numeric-scale.ts';
import type { CastRule, CastTarget } from '../function-rule.ts';
import {
  letOperandsIn,
  compileCastToEngineType,
  maxDigitsOf,
  nullIfNotFinite,
  powerOfTen,
  nullIfOutOfBounds,
} from '../engine-sql.ts';

/** The scale of a numeric that is cast from text or a double without modifiers. */
export const defaultNumericScale = 30;

const wholes = ['smallint', 'integer', 'bigint'] as const;
type Whole = (typeof wholes)[number];

/** The engine types that have the same ranges as the integer types. */
const bounds: Record<Whole, string> = { smallint: 'Int16', integer: 'Int32', bigint: 'Int64' };
const sizes: Record<Whole, number> = { smallint: 5, integer: 10, bigint: 19 };

/** An integer, or NULL outside the range of the type. */
export const integerOrNull = (sql: string, type: Whole): string =>
  type === 'bigint'
    ? `accurateCastOrNull(${sql}, 'Int64')`
    : compileCastToEngineType(`accurateCastOrNull(${sql}, '${bounds[type]}')`, toScalarType(type));

const space = '[ \\\\t\\\\n\\\\v\\\\f\\\\r]*';
/** Extracts the number from a text with white space around it; an empty text if it does not have the form `form`. */
const numberText = (sql: string, form: string): string =>
  `extract(${sql}, '\\\\A${space}(${form})${space}\\\\z')`;
const wholeForm = '[+-]?[0-9]+';
const decimalForm = '[+-]?(?:[0-9]+\\\\.?[0-9]*|\\\\.[0-9]+)';
const floatForm = `${decimalForm}(?:[eE][+-]?[0-9]+)?`;

/**
 * Matches decimals with at most `defaultNumericScale` digits after the point, also after applying a negative exponent.
 */
const fewDecimals = `[+-]?(?:[0-9]+(?:\\\\.[0-9]{0,${String(defaultNumericScale - 9)}})?|\\\\.[0-9]{1,${String(defaultNumericScale - 9)}})(?:[eE][+-]?0?[0-9])?`;

/** Returns NULL for a value that exceeds the precision of the type. */
function toPrecision(value: Expression, target: CastTarget): Expression {
  const { precision } = target;
  if (precision === undefined || maxDigitsOf(value) <= precision) return value;
  const sql = fromUnscaledInteger(
    nullIfOutOfBounds(toUnscaledInteger(value.sql), powerOfTen(precision)),
    scaleOf(value),
  );
  return { ...value, sql, digits: precision };
}

const targetScale = (target: CastTarget): number =>
  target.anyScale === true ? defaultNumericScale : (target.type as NumericType).scale;

/**
 * Parses a numeric that may have more digits after the point than its scale. The engine would truncate them, so at
 * least one more digit is parsed and the result is rounded.
 */
function readNumeric(value: Expression, text: string, target: CastTarget): Expression {
  const scale = targetScale(target);
  const read = target.anyScale === true ? scale : Math.max(scale + 1, defaultNumericScale);
  const rest = dropLiteral(value);
  const parsed: Expression = {
    ...rest,
    type: numericType(read),
    sql: fromUnscaledOrNull(toUnscaledInteger(`toDecimal256OrNull(${text}, ${String(read)})`), read),
  };
  return toPrecision(rescale(parsed, scale), target);
}

const wholeToNumeric = (value: Expression, target: CastTarget): Expression => {
  const scale = target.anyScale === true ? 0 : targetScale(target);
  const digits = value.digits ?? sizes[value.type.name as Whole];
  const sql = compileCastToEngineType(value.sql, numericType(scale));
  const { literal, ...rest } = value;
  const converted: Expression = {
    ...rest,
    sql,
    type: numericType(scale),
    digits: Math.min(digits + scale, numericDigits),
  };
  return toPrecision(literal === undefined ? converted : { ...converted, literal }, target);
};

const numericToNumeric = (value: Expression, target: CastTarget): Expression =>
  toPrecision(target.anyScale === true ? value : rescale(value, targetScale(target)), target);

/** Converts a double to numeric with its first 15 digits, as PostgreSQL does. */
const doubleToNumeric = (value: Expression, target: CastTarget): Expression => {
  const sql =
    target.anyScale === true
      ? letOperandsIn([value.sql], (x) => `if(abs(${x}) >= 1e-15 OR ${x} = 0, ${x}, NULL)`)
      : value.sql;
  return readNumeric(value, `printf('%.15g', ${sql})`, target);
};

const literalNumber = (value: Expression): string | undefined =>
  typeof value.literal === 'string' ? value.literal : undefined;

const toDouble = (value: Expression): string => {
  const literal = literalNumber(value);
  if (literal !== undefined && !Number.isFinite(Number(literal))) {
    throw invalidSql(`"${literal}" is out of range for type double precision`, value.at);
  }
  return value.type.name === 'numeric'
    ? compileCastToEngineType(
        literal === undefined ? `toString(${value.sql})` : `'${literal}'`,
        toScalarType('double precision'),
      )
    : compileCastToEngineType(value.sql, toScalarType('double precision'));
};

const between = (from: Whole, to: Whole): CastRule => ({
  from,
  to,
  convert: (value) => (sizes[from] <= sizes[to] ? value.sql : integerOrNull(value.sql, to)),
});

export const numberCasts: readonly CastRule[] = [
  ...wholes.flatMap((from): CastRule[] => [
    ...wholes.filter((to) => to !== from).map((to) => between(from, to)),
    { from, to: 'numeric', convert: wholeToNumeric },
    { from, to: 'double precision', convert: toDouble },
    { from: 'numeric', to: from, convert: (value) => integerOrNull(`toInt256(round(${value.sql}))`, from) },
    { from: 'double precision', to: from, convert: (value) => integerOrNull(`round(${value.sql})`, from) },
    { from: 'text', to: from, convert: (value) => integerOrNull(numberText(value.sql, wholeForm), from) },
  ]),
  { from: 'numeric', to: 'numeric', convert: numericToNumeric },
  { from: 'numeric', to: 'double precision', convert: toDouble },
  { from: 'double precision', to: 'numeric', convert: doubleToNumeric },
  {
    from: 'text',
    to: 'double precision',
    convert: (value) => nullIfNotFinite(`toFloat64OrNull(${numberText(value.sql, floatForm)})`),
  },
  {
    from: 'text',
    to: 'numeric',
    convert: (value, target) =>
      readNumeric(value, numberText(value.sql, target.anyScale === true ? fewDecimals : floatForm), target),
  },
  { from: 'integer', to: 'boolean', convert: (value) => `${value.sql} != 0` },
  {
    from: 'boolean',
    to: 'integer',
    convert: (value) => compileCastToEngineType(value.sql, toScalarType('integer')),
  },
];
