import type { Expression } from '../expression.ts';
import { invalidSql, unsupportedSql } from '../sql-compile-error.ts';
import { noArrayOfArrays } from '../instead.ts';
import {
  hasVaryingScale,
  sameType,
  toScalarType,
  printType,
  unknownType,
  type ElementType,
  type SqlType,
} from '../types.ts';
import { castRules } from './cast-rules.ts';
import { isImplicitCast } from './implicit-casts.ts';
import { nullOf } from './literals.ts';
import type { CastRule, CastTarget } from './function-rule.ts';

export { typeFromName } from './type-names.ts';

const isTarget = (target: SqlType | CastTarget): target is CastTarget => 'type' in target;

/**
 * Compiles an explicit cast. Where PostgreSQL fails for a value, the result is NULL. A NULL literal, and any text that is
 * NULL, can be cast to every type.
 */
export function compileCast(value: Expression, to: SqlType | CastTarget, at: number): Expression {
  const target = isTarget(to) ? to : { type: to };
  const { type } = target;
  if (type.name === 'unknown') return value;
  const isNull = value.literal === null;
  if (isNull && (value.type.name === 'unknown' || value.type.name === 'text')) return nullOf(type, value.at);
  const plain =
    target.length === undefined &&
    target.precision === undefined &&
    target.secondsDigits === undefined &&
    target.unit === undefined;
  if (plain && sameType(value.type, type) && !differsInScale(value.type, target)) {
    const differs = type.name === 'numeric' && hasVaryingScale(value.type) !== hasVaryingScale(type);
    return differs && target.anyScale !== true ? { ...value, type } : value;
  }
  const rule = findRule(value.type.name, type.name);
  if (rule === undefined) {
    // PostgreSQL can cast text to every type.
    if (value.type.name === 'text')
      throw unsupportedSql(
        `a cast of text to ${printType(type)}`,
        at,
        'Write the value as a literal in quotes.',
      );
    throw invalidSql(`cannot cast type ${printType(value.type)} to ${printType(type)}`, at);
  }
  if (isNull) return nullOf(type, value.at);
  const converted = rule.convert(value, target, at, compileCast);
  if (typeof converted === 'string') return { sql: converted, type, at: value.at };
  return type.name === 'numeric' && target.anyScale !== true ? { ...converted, type } : converted;
}

const findRule = (from: SqlType['name'], to: SqlType['name']): CastRule | undefined =>
  castRules.find((rule) => rule.from === from && rule.to === to);

const differsInScale = (from: SqlType, { type, anyScale }: CastTarget): boolean =>
  from.name === 'numeric' && type.name === 'numeric' && anyScale !== true && from.scale !== type.scale;

/** Compiles an implicit cast. `what` names the expression in errors. */
export function compileAssignmentCast(
  value: Expression,
  target: SqlType,
  at: number,
  what: string,
): Expression {
  if (!isImplicitCast(value.type.name, target.name) || !elementsAgree(value.type, target)) {
    throw invalidSql(
      `${what} must be of type ${printType(target)}, not ${printType(value.type)}: cast it, as in CAST(... AS ${printType(target)})`,
      at,
    );
  }
  return compileCast(value, target, at);
}

const elementsAgree = (from: SqlType, to: SqlType): boolean =>
  from.name !== 'array' || to.name !== 'array' || isImplicitCast(from.element.name, to.element.name);

/** Gives a string literal of unknown type the type text. */
export const resolveUnknownLiteral = (value: Expression): Expression =>
  value.type.name === 'unknown' ? compileCast(value, toScalarType('text'), value.at) : value;

/**
 * Requires an argument with a known type, for functions that accept any type: PostgreSQL does not guess the type of a
 * string literal there.
 * @throws SqlCompileError for a string literal and for NULL
 */
export function requireKnownType(value: Expression): Expression {
  if (value.type.name === 'unknown')
    throw invalidSql('the type of the value is not known; add a cast', value.at);
  return value;
}

/** Returns the element type of a new array. */
export function elementTypeOf(type: SqlType, at: number): ElementType {
  if (type.name === 'array') throw unsupportedSql('an array of arrays', at, noArrayOfArrays);
  return type.name === unknownType.name ? toScalarType('text') : type;
}
