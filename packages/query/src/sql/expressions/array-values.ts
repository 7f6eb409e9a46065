import type { Expression } from '../expression.ts';
import type { ElementType } from '../types.ts';

/** The elements of an array that is there; of none, the empty list. */
export const fromArray = (sql: string): string => `(${sql})[1]`;

/** An element as an expression, such as the variable of a lambda function. */
export const elementOf = (element: ElementType, sql: string, at: number): Expression => ({
  sql,
  type: element,
  at,
});

/** An array of the elements that engine SQL gives, or no array where `absent` holds. */
export const toArray = (elements: string, absent?: string): string =>
  absent === undefined ? `[${elements}]` : `arrayFilter(a -> NOT (${absent}), [${elements}])`;
