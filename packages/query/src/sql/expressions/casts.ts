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

/** A written cast. What PostgreSQL raises for a row is NULL. A NULL without a type, as every text that is NULL, takes any. */
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
    // PostgreSQL reads every type out of a text.
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

/** A conversion that happens by itself, of an expression that `what` names. */
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

/** A literal in quotes that has met nothing is a text. */
export const resolveUnknownLiteral = (value: Expression): Expression =>
  value.type.name === 'unknown' ? compileCast(value, toScalarType('text'), value.at) : value;

/**
 * What a function takes that is made for values of any type: PostgreSQL does not guess one for a literal in quotes there.
 * @throws SqlFault for such a literal, and for NULL
 */
export function requireKnownType(value: Expression): Expression {
  if (value.type.name === 'unknown')
    throw invalidSql('the type of the value is not known: cast it', value.at);
  return value;
}

/** The type of an element of an array that is still to be made. */
export function elementTypeOf(type: SqlType, at: number): ElementType {
  if (type.name === 'array') throw unsupportedSql('an array of arrays', at, noArrayOfArrays);
  return type.name === unknownType.name ? toScalarType('text') : type;
}
