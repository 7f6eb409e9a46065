import type { Expression } from '../expression.ts';
import { invalidSql, unsupportedSql } from '../sql-compile-error.ts';
import {
  arrayType,
  hasVaryingScale,
  numericType,
  numericDigits,
  type NumericType,
  sameType,
  toScalarType,
  printType,
  type SqlType,
} from '../types.ts';
import { typeCategory, isPreferred, isImplicitCast } from './implicit-casts.ts';
import { scaleOf } from './numeric/numeric-scale.ts';

/**
 * Returns the common type of the values of UNION, CASE, COALESCE, VALUES, ARRAY or GREATEST. Each value has an implicit
 * cast to it (see `compileAssignmentCast`).
 * @param construct names the construct in the error: "CASE"
 * @throws SqlCompileError if there is none
 */
export function commonType(values: readonly Expression[], at: number, construct: string): SqlType {
  const found = commonTypeOrNone(values);
  if (found === undefined) {
    const types = [...new Set(values.map(({ type }) => printType(type)))].join(' and ');
    if (values.every(({ type }) => type.name === 'array'))
      throw unsupportedSql(`${construct} of ${types}`, at, 'Cast the arrays to one type first.');
    throw invalidSql(`${construct} types ${types} cannot be matched`, at);
  }
  return found;
}

/** Like `commonType`, but undefined if there is none. If all values are string literals, the type is text. */
export function commonTypeOrNone(values: readonly Expression[]): SqlType | undefined {
  const known = values.filter(({ type }) => type.name !== 'unknown');
  let [chosen] = known.map(({ type }) => type);
  if (chosen === undefined) return toScalarType('text');
  for (const { type } of known) {
    if (sameType(type, chosen)) continue;
    if (type.name === 'array' || chosen.name === 'array') return undefined;
    if (typeCategory(type.name) !== typeCategory(chosen.name)) return undefined;
    const widens = isImplicitCast(chosen.name, type.name) && !isImplicitCast(type.name, chosen.name);
    if (!isPreferred(chosen.name) && widens) chosen = type;
  }
  const written = values.filter(
    ({ type, literal }) => type.name === 'unknown' && typeof literal === 'string',
  );
  return withScale(chosen, [...known, ...written]);
}

/** The scale of a string literal that becomes a number. */
function literalScale({ type, literal }: Expression): number | undefined {
  const [, digits = '', exponent = '0'] =
    /^\s*[+-]?\d*(?:\.(\d*))?(?:e([+-]?\d+))?\s*$/i.exec(literal ?? '') ?? [];
  if (type.name !== 'unknown') return undefined;
  return Math.min(Math.max(digits.length - Number(exponent), 0), numericDigits);
}

/** A common numeric type has the largest scale of the values. */
function withScale(type: SqlType, values: readonly Expression[]): SqlType {
  if (type.name === 'numeric')
    return widestOf(
      values.map((value) => [literalScale(value) ?? scaleOf(value), hasVaryingScale(value.type)]),
    );
  if (type.name !== 'array' || type.element.name !== 'numeric') return type;
  const elements = values.map(({ type: { ...own } }): readonly [number, boolean] =>
    own.name === 'array' && own.element.name === 'numeric'
      ? [own.element.scale, hasVaryingScale(own.element)]
      : [0, false],
  );
  return arrayType(widestOf(elements));
}

function widestOf(types: readonly (readonly [scale: number, varied: boolean])[]): NumericType {
  const scale = Math.max(...types.map(([own]) => own));
  return numericType(
    scale,
    types.some(([own, varied]) => varied || own !== scale),
  );
}
