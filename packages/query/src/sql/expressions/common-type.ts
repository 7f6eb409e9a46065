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
 * The one type that several values are brought to: of UNION, CASE, COALESCE, VALUES, ARRAY, GREATEST. The type may be
 * reached by each of them by itself (see `compileAssignmentCast`).
 * @param construct names it in a fault: "CASE"
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

/** As `commonType`; nothing when there is none. Literals in quotes alone are texts. */
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

/** The digits after the point of a literal in quotes that is to be a number. */
function literalScale({ type, literal }: Expression): number | undefined {
  const [, digits = '', exponent = '0'] =
    /^\s*[+-]?\d*(?:\.(\d*))?(?:e([+-]?\d+))?\s*$/i.exec(literal ?? '') ?? [];
  if (type.name !== 'unknown') return undefined;
  return Math.min(Math.max(digits.length - Number(exponent), 0), numericDigits);
}

/** A common numeric has the most digits after the point that one of them has. */
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
