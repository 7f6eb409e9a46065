import type { Expression } from '../../expression.ts';
import { hasVaryingScale, isIntegerType, numericType, numericDigits } from '../../types.ts';
import {
  letOperandsIn,
  compileCastToEngineType,
  maxDigitsOf,
  powerOfTen,
  nullIfOutOfBounds,
} from '../engine-sql.ts';

/** The scale of a numeric; whole numbers have none. */
export const scaleOf = (value: Expression): number => (value.type.name === 'numeric' ? value.type.scale : 0);

/** From this scale on the digits after the point were chosen by the values, or are more than PostgreSQL shows. */
const chosenScale = 16;

/** Whether it is known of each row how many digits a value shows: not if it was made into another since. */
export const hasRowScale = ({ sql, shown }: Expression): boolean => shown?.of === sql;

/** How many digits after the point PostgreSQL shows of a numeric: engine SQL of a whole number; nothing where that is not known. */
export function displayScale(value: Expression): string | undefined {
  if (hasRowScale(value)) return value.shown?.digits;
  return hasVaryingScale(value.type) || scaleOf(value) >= chosenScale ? undefined : String(scaleOf(value));
}

/** How many digits after the point a division takes a numeric to have, the most that it may have where values differ. */
export const divisionScale = (value: Expression): string | undefined =>
  displayScale(value) ?? (scaleOf(value) < chosenScale ? String(scaleOf(value)) : undefined);

/** Whether it is known how many digits after the point a number shows. */
const knowsDigits = (value: Expression): boolean =>
  value.literal === null ||
  isIntegerType(value.type) ||
  (value.type.name === 'numeric' &&
    (hasRowScale(value) || (!hasVaryingScale(value.type) && scaleOf(value) < chosenScale)));

/** Digits that are told once somebody asks, and then always alike: what they are made of may be as long as the statement. */
export function memoizeScale(of: string, tell: () => string): NonNullable<Expression['shown']> {
  let told: string | undefined;
  return {
    of,
    get digits() {
      told ??= tell();
      return told;
    },
  };
}

/** Says how many digits a numeric shows that is made of two others, where that depends on the row. */
export function combineDisplayScale(
  value: Expression,
  a: Expression,
  b: Expression,
  combine: (a: string, b: string) => string,
): Expression {
  if (!hasRowScale(a) && !hasRowScale(b)) return value;
  if (!knowsDigits(a) || !knowsDigits(b)) return value;
  const digits = (): string => combine(displayScale(a) ?? '0', displayScale(b) ?? '0');
  return { ...value, shown: memoizeScale(value.sql, digits) };
}

/** Says that a numeric shows as many digits as one that it is made of, where that depends on the row. */
export function copyDisplayScale(of: Expression, value: Expression): Expression {
  const { shown } = of;
  if (shown === undefined || !hasRowScale(of)) return value;
  return { ...value, shown: memoizeScale(value.sql, () => shown.digits) };
}

/**
 * Says how many digits a numeric shows that is one of several.
 * @param choose writes what chooses the one, of the digits that each of them shows
 */
export function selectDisplayScale(
  value: Expression,
  all: readonly Expression[],
  choose: (digits: readonly string[]) => string,
): Expression {
  if (value.type.name !== 'numeric' || knowsDigits(value) || !all.every(knowsDigits)) return value;
  const digits = (): string =>
    choose(all.map((one) => (one.literal === null ? '0' : (displayScale(one) ?? '0'))));
  return { ...value, shown: memoizeScale(value.sql, digits) };
}

/** The digits of a numeric without its point, as a whole number of 256 bits. */
export const toUnscaledInteger = (sql: string): string => `reinterpretAsInt256(${sql})`;

/** A whole number of 256 bits as the digits of a numeric. */
export const fromUnscaledInteger = (sql: string, scale: number): string =>
  `reinterpret(${sql}, 'Decimal(${String(numericDigits)}, ${String(scale)})')`;

/** The numeric of these digits, or NULL where they are more than the engine holds. */
export const fromUnscaledOrNull = (sql: string, scale: number, digits = numericDigits): string =>
  fromUnscaledInteger(nullIfOutOfBounds(sql, powerOfTen(digits)), scale);

/**
 * The digits of a numeric at a larger scale, as a whole number of 256 bits. A value that is too large for it becomes plus or
 * minus twice the first number that does not fit: larger than all others, and too large still when one that fits is added.
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

/** A value of which all rows show as many digits as its type says. */
function withoutRowDigits(value: Expression): Expression {
  const { shown, ...rest } = value;
  return shown === undefined ? value : rest;
}

/** A value that is no longer what its literal says. */
export function dropLiteral(value: Expression): Expression {
  const { literal, ...rest } = value;
  return literal === undefined ? value : rest;
}

/** A numeric with another scale: rounded half away from zero, or NULL where it has too many digits for a larger one. */
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
