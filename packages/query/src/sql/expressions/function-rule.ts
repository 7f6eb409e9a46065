import type { Expression } from '../expression.ts';
import type { ScalarTypeName, SqlType } from '../types.ts';

type ElementName = ScalarTypeName | 'numeric';

/**
 * What a function takes at one place:
 * - the name of a type, or of the type of an array's elements: values of it and those that turn into it by themselves;
 *   a numeric keeps the scale it has;
 * - `any`: a value of any type as it is (a literal in quotes is text); `any scalar`: all but arrays; `typed`: no such literal;
 * - `same`: values that are brought to one common type with those at all other places called `same`;
 * - `array`: any array as it is, whose type is known; `array of same`: an array of the common type; `array of one`: the same,
 *   where all arrays have to be of one type already.
 */
export type Parameter =
  | ElementName
  | `${ElementName}[]`
  | 'any'
  | 'any scalar'
  | 'typed'
  | 'same'
  | 'array'
  | 'array of same'
  | 'array of one';

/**
 * A function or an operator (one parameter: it stands before its operand). `emit` gets the arguments already turned into
 * the types of its parameters and answers engine SQL of the result's type, or a whole expression where more is known of it
 * than its type. A rule that throws stands for what PostgreSQL has and we do not.
 */
export interface FunctionRule {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  /** The last parameter takes one argument or more. */
  readonly variadic?: true;
  /**
   * PostgreSQL has others of its name for types that are not here: a literal in quotes at the first place does not say which
   * is meant, unless another argument has the type of that place.
   */
  readonly amongOthers?: true;
  readonly result: SqlType | ((args: readonly Expression[], at: number) => SqlType);
  readonly emit: (args: readonly Expression[], at: number) => string | Expression;
}

/**
 * A cast that can be written; those that happen by themselves are listed in conversions.ts. Literals in quotes are cast from
 * `unknown`: their text is `value.literal`, never null (a NULL takes any type without a rule).
 */
export interface CastRule {
  readonly from: ElementName | 'unknown' | 'array';
  readonly to: ElementName | 'array';
  /** `cast` casts values within it, such as the elements of an array. */
  readonly convert: (
    value: Expression,
    target: CastTarget,
    at: number,
    cast: CastFunction,
  ) => string | Expression;
}

/** Casts a value as a written cast does. */
export type CastFunction = (value: Expression, to: SqlType | CastTarget, at: number) => Expression;

/** A type with what stands in brackets behind its name. */
export interface CastTarget {
  readonly type: SqlType;
  /** Characters of a varchar. */
  readonly length?: number;
  /** Digits of a numeric, before and after the point; the scale is the type's. */
  readonly precision?: number;
  /** A numeric without brackets: it takes as many digits after the point as the value has. */
  readonly anyScale?: true;
  /** Digits of the seconds of a timestamp. */
  readonly secondsDigits?: number;
  /** The one unit that an interval is said to count: `interval '2' day`. */
  readonly unit?: string;
}
