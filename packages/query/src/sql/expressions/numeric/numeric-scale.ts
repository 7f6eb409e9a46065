import type { Expression } from '../../expression.ts';
import { hasVaryingScale, isIntegerType, numericType, numericDigits } from '../../types.ts';
import {
  letOperandsIn,
  compileCastToEngineType,
  maxDigitsOf,
  powerOfTen,
  nullIfOutOfBounds,
} from '../engine-sql.ts';

/** The scale of a numeric; 0 for integers. */
export const scaleOf = (value: Expression): number => (value.type.name === 'numeric' ? value.type.scale : 0);

/** From this scale on, the scale in the engine can differ from the one that PostgreSQL displays. */
const variableScale = 16;

/** Whether the displayed scale is known for each row. It is not if the SQL of the expression has changed since then. */
export const hasRowScale = ({ sql, rowScale }: Expression): boolean => rowScale?.of === sql;

/** Engine SQL of the scale that PostgreSQL displays for a numeric; undefined if it is not known. */
export function displayScale(value: Expression): string | undefined {
  if (hasRowScale(value)) return value.rowScale?.digits;
  return hasVaryingScale(value.type) || scaleOf(value) >= variableScale ? undefined : String(scaleOf(value));
}

/** The scale that a division assumes for a numeric: the displayed scale, or the maximum if values differ. */
export const divisionScale = (value: Expression): string | undefined =>
  displayScale(value) ?? (scaleOf(value) < variableScale ? String(scaleOf(value)) : undefined);

/** Whether the displayed scale of a number is known. */
const isScaleKnown = (value: Expression): boolean =>
  value.literal === null ||
  isIntegerType(value.type) ||
  (value.type.name === 'numeric' &&
    (hasRowScale(value) || (!hasVaryingScale(value.type) && scaleOf(value) < variableScale)));

/**
 * Computes a displayed scale only when it is first requested, and caches it, because its SQL can be as long as the
 * statement.
 */
export function memoizeScale(of: string, compute: () => string): NonNullable<Expression['rowScale']> {
  let computed: string | undefined;
  return {
    of,
    get digits() {
      computed ??= compute();
      return computed;
    },
  };
}

/** Sets the displayed scale of a numeric that is computed from two others, if it varies by row. */
export function combineDisplayScale(
  value: Expression,
  a: Expression,
  b: Expression,
  combine: (a: string, b: string) => string,
): Expression {
  if (!hasRowScale(a) && !hasRowScale(b)) return value;
  if (!isScaleKnown(a) || !isScaleKnown(b)) return value;
  const digits = (): string => combine(displayScale(a) ?? '0', displayScale(b) ?? '0');
  return { ...value, rowScale: memoizeScale(value.sql, digits) };
}

/** Copies the displayed scale of the numeric from which this one is computed, if it varies by row. */
export function copyDisplayScale(of: Expression, value: Expression): Expression {
  const { rowScale } = of;
  if (rowScale === undefined || !hasRowScale(of)) return value;
  return { ...value, rowScale: memoizeScale(value.sql, () => rowScale.digits) };
}

/**
 * Sets the displayed scale of a numeric that is selected from several.
 * @param choose builds the SQL that selects the scale from those of the values
 */
export function selectDisplayScale(
  value: Expression,
  all: readonly Expression[],
  choose: (digits: readonly string[]) => string,
): Expression {
  if (value.type.name !== 'numeric' || isScaleKnown(value) || !all.every(isScaleKnown)) return value;
  const digits = (): string =>
    choose(all.map((one) => (one.literal === null ? '0' : (displayScale(one) ?? '0'))));
  return { ...value, rowScale: memoizeScale(value.sql, digits) };
}

/** The digits of a numeric as Int256, without the point. */
export const toUnscaledInteger = (sql: string): string => `reinterpretAsInt256(${sql})`;

/** Converts an Int256 of digits to a numeric. */
export const fromUnscaledInteger = (sql: string, scale: number): string =>
  `reinterpret(${sql}, 'Decimal(${String(numericDigits)}, ${String(scale)})')`;

/** Converts digits to a numeric; NULL if there are too many. */
export const fromUnscaledOrNull = (sql: string, scale: number, digits = numericDigits): string =>
  fromUnscaledInteger(nullIfOutOfBounds(sql, powerOfTen(digits)), scale);

/**
 * The digits of a numeric at a larger scale, as Int256. A value that is too large becomes plus or minus twice the
 * smallest number that does not fit. So it compares as larger than all values that fit, and it stays too large if such
 * a value is added.
 */
export function unscaledAtScale(value: Expression, scale: number): string {
  const shift = scale - scaleOf(value);
  if (shift === 0) return toUnscaledInteger(value.sql);
  const factor = powerOfTen(shift);
  if (maxDigitsOf(value) + shift <= numericDigits) return `(${toUnscaledInteger(value.sql)} * ${factor})`;
  const bound = `2 * ${powerOfTen(numericDigits - shift)}`;
  const clamped = letOperandsIn(
    [toUnscaledInteger(value.sql)],
    (x) => `multiIf(${x} > ${bound}, ${bound}, ${x} < -${bound}, -${bound}, ${x})`,
  );
  return `(${clamped} * ${factor})`;
}

/** Removes the displayed scale that varies by row. */
function withoutRowDigits(value: Expression): Expression {
  const { rowScale, ...rest } = value;
  return rowScale === undefined ? value : rest;
}

/** Removes the literal from an expression whose value has changed. */
export function dropLiteral(value: Expression): Expression {
  const { literal, ...rest } = value;
  return literal === undefined ? value : rest;
}

/**
 * Changes the scale of a numeric: rounded half away from zero, or NULL if it has too many digits for a larger scale.
 */
export function rescale(value: Expression, scale: number): Expression {
  const from = scaleOf(value);
  const own = withoutRowDigits(value);
  if (from === scale) return own;
  const type = numericType(scale);
  const digits = Math.min(maxDigitsOf(value) + scale - from + (scale < from ? 1 : 0), numericDigits);
  const rest = dropLiteral(own);
  if (scale < from) {
    return {
      ...rest,
      type,
      digits,
      sql: compileCastToEngineType(`round(${value.sql}, ${String(scale)})`, type),
    };
  }
  const sql =
    maxDigitsOf(value) + scale - from <= numericDigits
      ? compileCastToEngineType(value.sql, type)
      : fromUnscaledOrNull(unscaledAtScale(value, scale), scale);
  return { ...rest, type, digits, sql };
}
