import type { Expression } from '../expression.ts';
import { invalidSql, unsupportedSql } from '../sql-compile-error.ts';
import { numericType, numericDigits, toScalarType, unknownType, type SqlType } from '../types.ts';
import { compileCastToEngineType, nullSql, textSql } from './engine-sql.ts';

/** Compiles a number literal: integer, bigint or numeric, depending on its size and form. */
export function numberLiteral(text: string, at: number): Expression {
  const number = decimalText(text, at);
  if (/^-?\d+$/.test(text)) {
    const value = BigInt(number);
    const size = [31, 63].find((bits) => BigInt.asIntN(bits + 1, value) === value);
    if (size !== undefined) return integerLiteral(value, size === 31 ? 'integer' : 'bigint', at);
  }
  return numericLiteral(number, undefined, at);
}

export const integerLiteral = (
  value: bigint,
  type: 'smallint' | 'integer' | 'bigint',
  at: number,
): Expression => ({
  sql: compileCastToEngineType(String(value), toScalarType(type)),
  type: toScalarType(type),
  literal: String(value),
  digits: String(value).replace('-', '').length,
  at,
});

/** @param text digits with a point, without exponent */
export function numericLiteral(text: string, scale: number | undefined, at: number): Expression {
  const [whole = '', fraction = ''] = text.split('.');
  const type = numericType(scale ?? fraction.length);
  const digits = whole.replace(/^[+-]?0*/, '').length + type.scale;
  if (type.scale > numericDigits || digits > numericDigits) {
    throw unsupportedSql(
      `a number of more than ${String(numericDigits)} digits`,
      at,
      "Write it as double precision, as in '1e80'::float8.",
    );
  }
  return {
    sql: compileCastToEngineType(`'${text}'`, type),
    type,
    literal: text,
    digits: Math.max(digits, 1),
    at,
  };
}

/** Prints a number without its exponent: 1.5e3 becomes 1500, 1e-2 becomes 0.01. */
export function decimalText(text: string, at: number): string {
  const match = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null) throw invalidSql(`invalid input syntax for type numeric: "${text}"`, at);
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  if (whole + fraction === '') throw invalidSql(`invalid input syntax for type numeric: "${text}"`, at);
  if (Math.abs(exponent) > 1000)
    throw unsupportedSql(
      `a number of more than ${String(numericDigits)} digits`,
      at,
      "Write it as double precision, as in '1e80'::float8.",
    );
  const digits = (whole + fraction).padEnd(whole.length + exponent, '0');
  const point = whole.length + exponent;
  const padded = point < 1 ? '0'.repeat(1 - point) + digits : digits;
  const place = Math.max(point, 1);
  const before = padded.slice(0, place).replace(/^0+(?=\d)/, '');
  const after = padded.slice(place);
  return `${sign === '-' ? '-' : ''}${before}${after === '' ? '' : `.${after}`}`;
}

export const doubleLiteral = (text: string, at: number): Expression => ({
  sql: compileCastToEngineType(`'${text}'`, toScalarType('double precision')),
  type: toScalarType('double precision'),
  literal: text,
  at,
});

/** A string literal. Overload resolution or a cast determines its type. */
export const textLiteral = (text: string, at: number): Expression => ({
  sql: textSql(text),
  type: unknownType,
  literal: text,
  at,
});

export const booleanLiteral = (value: boolean, at: number): Expression => ({
  sql: compileCastToEngineType(String(value), toScalarType('boolean')),
  type: toScalarType('boolean'),
  literal: String(value),
  at,
});

export const nullLiteral = (at: number): Expression => ({ ...nullOf(unknownType, at) });

export const nullOf = (type: SqlType, at: number): Expression => ({
  sql: nullSql(type),
  type,
  literal: null,
  at,
});
