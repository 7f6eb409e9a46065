import type { Expression } from '../expression.ts';
import { invalid, unsupported } from '../fault.ts';
import {
  arrayOf,
  isVaried,
  numeric,
  numericDigits,
  type NumericType,
  sameType,
  scalar,
  typeText,
  type SqlType,
} from '../types.ts';
import { categoryOf, isPreferred, turnsInto } from './conversions.ts';
import { scaleOf } from './decimals.ts';

/**
 * The one type that several values are brought to: of UNION, CASE, COALESCE, VALUES, ARRAY, GREATEST. The type may be
 * reached by each of them by itself (see `assign`).
 * @param construct names it in a fault: "CASE"
 */
export function commonType(values: readonly Expression[], at: number, construct: string): SqlType {
  const found = commonTypeOrNone(values);
  if (found === undefined) {
    const types = [...new Set(values.map(({ type }) => typeText(type)))].join(' and ');
    if (values.every(({ type }) => type.name === 'array'))
      throw unsupported(`${construct} of ${types}`, at, 'Cast the arrays to one type first.');
    throw invalid(`${construct} types ${types} cannot be matched`, at);
  }
  return found;
}

/** As `commonType`; nothing when there is none. Literals in quotes alone are texts. */
export function commonTypeOrNone(values: readonly Expression[]): SqlType | undefined {
  const known = values.filter(({ type }) => type.name !== 'unknown');
  let [chosen] = known.map(({ type }) => type);
  if (chosen === undefined) return scalar('text');
  for (const { type } of known) {
    if (sameType(type, chosen)) continue;
    if (type.name === 'array' || chosen.name === 'array') return undefined;
    if (categoryOf(type.name) !== categoryOf(chosen.name)) return undefined;
    const widens = turnsInto(chosen.name, type.name) && !turnsInto(type.name, chosen.name);
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
    return widestOf(values.map((value) => [literalScale(value) ?? scaleOf(value), isVaried(value.type)]));
  if (type.name !== 'array' || type.element.name !== 'numeric') return type;
  const elements = values.map(({ type: { ...own } }): readonly [number, boolean] =>
    own.name === 'array' && own.element.name === 'numeric'
      ? [own.element.scale, isVaried(own.element)]
      : [0, false],
  );
  return arrayOf(widestOf(elements));
}

function widestOf(types: readonly (readonly [scale: number, varied: boolean])[]): NumericType {
  const scale = Math.max(...types.map(([own]) => own));
  return numeric(
    scale,
    types.some(([own, varied]) => varied || own !== scale),
  );
}
