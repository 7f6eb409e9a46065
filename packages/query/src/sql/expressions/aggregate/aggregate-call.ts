import type { Expression } from '../../expression.ts';
import type { ElementType, SqlType } from '../../types.ts';
import type { RenderAggregateCall } from './aggregate-sums.ts';
import type { SortKey } from '../ordering.ts';

/** A call of an aggregate in a statement. */
export interface AggregateCall {
  readonly name: string;
  readonly args: readonly Expression[];
  /** count(*). */
  readonly star: boolean;
  readonly distinct: boolean;
  readonly filter?: Expression | undefined;
  /** ORDER BY inside the parentheses, or after WITHIN GROUP. */
  readonly orderBy: readonly SortKey[];
  readonly withinGroup: boolean;
  readonly at: number;
}

/** The input from which the rule of an aggregate compiles its SQL. */
export interface AggregateParts {
  readonly run: RenderAggregateCall;
  /** Arguments with the types of the rule. For rows that FILTER excludes they are NULL. */
  readonly args: readonly [Expression, ...Expression[]];
  readonly orderBy: readonly SortKey[];
  /** The condition of FILTER, for aggregates that do not ignore NULL. */
  readonly filter: string | undefined;
  readonly use: AggregateCall;
}

export type AggregateParameter = ElementType['name'] | 'any' | 'array' | 'ordered' | 'typed';

/**
 * One overload of an aggregate. `any` accepts values of all types, `typed` all except string literals, and `ordered`
 * those typed values that can be sorted.
 */
export interface AggregateRule {
  readonly name: string;
  readonly parameters: readonly AggregateParameter[];
  /** The last argument follows WITHIN GROUP (ORDER BY ...). */
  readonly withinGroup?: true;
  readonly result: SqlType | ((args: readonly [Expression, ...Expression[]]) => SqlType);
  readonly emit: (parts: AggregateParts) => string;
  /** For numeric results: engine SQL of the scale that PostgreSQL displays, if it is known. */
  readonly rowScale?: (parts: AggregateParts) => string | undefined;
}
