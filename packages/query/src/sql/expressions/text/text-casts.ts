import type { Expression } from '../../expression.ts';
import { invalidSql, unsupportedSql } from '../../sql-compile-error.ts';
import { toScalarType, type NumericType } from '../../types.ts';
import { rescale, fromUnscaledInteger, toUnscaledInteger } from '../numeric/numeric-scale.ts';
import { booleanLiteral, decimalText, doubleLiteral, numericLiteral, integerLiteral } from '../literals.ts';
import type { CastRule, CastTarget } from '../function-rule.ts';
import { powerOfTen, textSql, nullIfOutOfBounds } from '../engine-sql.ts';

const trueTexts = ['t', 'tr', 'tru', 'true', 'y', 'ye', 'yes', 'on', '1'];
const falseTexts = ['f', 'fa', 'fal', 'fals', 'false', 'n', 'no', 'of', 'off', '0'];

const space = ' \t\n\v\f\r';

/** Trims white space. The pattern / +$/ would take quadratic time on texts with much white space inside. */
export function trimmed(text: string): string {
  let [from, end] = [0, text.length];
  while (from < end && space.includes(text.charAt(from))) from++;
  while (end > from && space.includes(text.charAt(end - 1))) end--;
  return text.slice(from, end);
}

const literalOf = (value: Expression): string => value.literal ?? '';

const malformed = (value: Expression, type: string): Error =>
  invalidSql(`invalid input syntax for type ${type}: "${literalOf(value)}"`, value.at);

function wholeFromLiteral(value: Expression, type: 'smallint' | 'integer' | 'bigint'): Expression {
  const text = trimmed(literalOf(value));
  if (!/^[+-]?\d+$/.test(text)) throw malformed(value, type);
  const number = BigInt(text.replace('+', ''));
  if (BigInt.asIntN({ smallint: 16, integer: 32, bigint: 64 }[type], number) !== number) {
    throw invalidSql(`value "${literalOf(value)}" is out of range for type ${type}`, value.at);
  }
  return integerLiteral(number, type, value.at);
}

const numberForm = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const notFinite = /^(?:nan|[+-]?inf(?:inity)?)$/i;

function numberFromLiteral(value: Expression, type: string): string {
  const text = trimmed(literalOf(value));
  if (notFinite.test(text)) throw unsupportedSql(`the ${type} "${text}"`, value.at, 'Use a finite number.');
  if (!numberForm.test(text)) throw malformed(value, type);
  return text.replace(/^\+/, '');
}

function numericFromLiteral(value: Expression, target: CastTarget): Expression {
  const text = decimalText(numberFromLiteral(value, 'numeric'), value.at);
  const parsed = numericLiteral(text, undefined, value.at);
  if (target.anyScale === true) return parsed;
  const rounded = rescale(parsed, (target.type as NumericType).scale);
  if (target.precision === undefined || (rounded.digits ?? 0) <= target.precision) return rounded;
  const sql = fromUnscaledInteger(
    nullIfOutOfBounds(toUnscaledInteger(rounded.sql), powerOfTen(target.precision)),
    (target.type as NumericType).scale,
  );
  return { ...rounded, sql, digits: target.precision };
}

function doubleFromLiteral(value: Expression): Expression {
  const text = numberFromLiteral(value, 'double precision');
  if (!Number.isFinite(Number(text)) || (Number(text) === 0 && /[1-9]/.test(text.replace(/e.*/i, '')))) {
    throw invalidSql(`"${literalOf(value)}" is out of range for type double precision`, value.at);
  }
  return doubleLiteral(text, value.at);
}

function booleanFromLiteral(value: Expression): Expression {
  const text = trimmed(literalOf(value)).toLowerCase();
  if (!trueTexts.includes(text) && !falseTexts.includes(text)) throw malformed(value, 'boolean');
  return booleanLiteral(trueTexts.includes(text), value.at);
}

const quoted = (texts: readonly string[]): string => texts.map((text) => `'${text}'`).join(', ');

/** Converts a text to boolean; NULL for texts that mean neither. */
const booleanFromText = (sql: string): string =>
  `transform(lower(extract(${sql}, '\\\\A[ \\\\t\\\\n\\\\v\\\\f\\\\r]*([a-zA-Z01]+)[ \\\\t\\\\n\\\\v\\\\f\\\\r]*\\\\z')), ` +
  `[${quoted([...trueTexts, ...falseTexts])}], ` +
  `[${[...trueTexts.map(() => 'true'), ...falseTexts.map(() => 'false')].join(', ')}], CAST(NULL AS Nullable(Bool)))`;

/** Truncates to the n characters of a varchar(n). */
export const truncateVarchar = (sql: string, target: CastTarget): string =>
  target.length === undefined ? sql : `leftUTF8(${sql}, ${String(target.length)})`;

function cutLiteral(value: Expression, { length }: CastTarget): Expression {
  const text = { ...value, type: toScalarType('text') };
  const { literal } = value;
  if (length === undefined || typeof literal !== 'string') return text;
  // By code points, as the engine counts them.
  const kept = Array.from(literal.slice(0, 2 * length))
    .slice(0, length)
    .join('');
  return { ...text, literal: kept, sql: textSql(kept) };
}

export const textCasts: readonly CastRule[] = [
  {
    from: 'unknown',
    to: 'text',
    convert: (value, target) => cutLiteral(value, target),
  },
  { from: 'text', to: 'text', convert: (value, target) => truncateVarchar(value.sql, target) },
  ...(['smallint', 'integer', 'bigint'] as const).map((type): CastRule => ({
    from: 'unknown',
    to: type,
    convert: (value) => wholeFromLiteral(value, type),
  })),
  { from: 'unknown', to: 'numeric', convert: numericFromLiteral },
  { from: 'unknown', to: 'double precision', convert: doubleFromLiteral },
  { from: 'unknown', to: 'boolean', convert: booleanFromLiteral },
  { from: 'text', to: 'boolean', convert: (value) => booleanFromText(value.sql) },
];
