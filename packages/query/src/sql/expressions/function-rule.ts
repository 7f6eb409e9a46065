import type { Expression } from '../expression.ts';
import type { ScalarTypeName, SqlType } from '../types.ts';

type ElementName = ScalarTypeName | 'numeric';

/**
 * A parameter of a function:
 * - the name of a type, as in `text` and `text[]`: values of that type, and values with an implicit cast to it; a
 *   numeric keeps its scale
 * - `any`: a value of any type, unchanged (a string literal is text); `any scalar`: all except arrays; `typed`: no
 *   string literal
 * - `same`: values that are cast to a common type with all other parameters `same`
 * - `array`: any array of a known type, unchanged; `array of same`: an array of the common type; `array of one`: the
 *   same, but all arrays must already have the same type
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
 * An overload of a function or operator (a prefix operator has one parameter). `emit` gets the arguments, cast to the
 * types of the parameters. It returns engine SQL of the result type, or an expression if more than the type of the
 * result is known. For an overload that PostgreSQL has and Redoubt does not support, `emit` throws.
 */
export interface FunctionRule {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  /** The last parameter accepts one or more arguments. */
  readonly variadic?: true;
  /**
   * Set if PostgreSQL has more overloads of this name, for types that Redoubt does not support. A string literal as the
   * first argument is then ambiguous, unless another argument has the type of the first parameter.
   */
  readonly amongOthers?: true;
  readonly result: SqlType | ((args: readonly Expression[], at: number) => SqlType);
  readonly emit: (args: readonly Expression[], at: number) => string | Expression;
}

/**
 * An explicit cast; for implicit casts see implicit-casts.ts. String literals are cast from `unknown`: their text is
 * `value.literal`, which is never null (NULL can be cast to any type without a rule).
 */
export interface CastRule {
  readonly from: ElementName | 'unknown' | 'array';
  readonly to: ElementName | 'array';
  /** `cast` casts nested values, such as the elements of an array. */
  readonly convert: (
    value: Expression,
    target: CastTarget,
    at: number,
    cast: CastFunction,
  ) => string | Expression;
}

/** Applies an explicit cast. */
export type CastFunction = (value: Expression, to: SqlType | CastTarget, at: number) => Expression;

/** A type with its modifiers in parentheses. */
export interface CastTarget {
  readonly type: SqlType;
  /** The maximum length of a varchar, in characters. */
  readonly length?: number;
  /** The precision of a numeric. Its scale is in the type. */
  readonly precision?: number;
  /** Whether it is a numeric without modifiers, which takes the scale of the value. */
  readonly anyScale?: true;
  /** The digits of the seconds of a timestamp. */
  readonly secondsDigits?: number;
  /** The unit of an interval: `interval '2' day`. */
  readonly unit?: string;
}
