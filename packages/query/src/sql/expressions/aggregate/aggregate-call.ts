import type { Expression } from '../../expression.ts';
import type { ElementType, SqlType } from '../../types.ts';
import type { RenderAggregateCall } from './aggregate-sums.ts';
import type { SortKey } from '../ordering.ts';

/** A call of an aggregate as it stands in a statement. */
export interface AggregateCall {
  readonly name: string;
  readonly args: readonly Expression[];
  /** count(*). */
  readonly star: boolean;
  readonly distinct: boolean;
  readonly filter?: Expression | undefined;
  /** ORDER BY in the brackets, or after WITHIN GROUP. */
  readonly orderBy: readonly SortKey[];
  readonly withinGroup: boolean;
  readonly at: number;
}

/** What a rule of an aggregate writes its SQL from. */
export interface AggregateParts {
  readonly run: RenderAggregateCall;
  /** Arguments of the rule's types; rows that FILTER leaves out have NULL there. */
  readonly args: readonly [Expression, ...Expression[]];
  readonly orderBy: readonly SortKey[];
  /** The condition of FILTER, for aggregates that take NULL as well. */
  readonly filter: string | undefined;
  readonly use: AggregateCall;
}

export type AggregateParameter = ElementType['name'] | 'any' | 'array' | 'ordered' | 'typed';

/**
 * One overload of an aggregate. `any` takes values of all types, `typed` all but literals in quotes, `ordered` those of them
 * that can be sorted.
 */
export interface AggregateRule {
  readonly name: string;
  readonly parameters: readonly AggregateParameter[];
  /** Its last argument stands after WITHIN GROUP (ORDER BY ...). */
  readonly withinGroup?: true;
  readonly result: SqlType | ((args: readonly [Expression, ...Expression[]]) => SqlType);
  readonly emit: (parts: AggregateParts) => string;
  /** Of a numeric: how many digits after the point PostgreSQL shows, where that is known. Engine SQL of a whole number. */
  readonly shown?: (parts: AggregateParts) => string | undefined;
}
