import type { Expression } from '../../expression.ts';
import type { ElementType } from '../../types.ts';

/** The elements of an array that is there; of none, the empty list. */
export const fromArray = (sql: string): string => `(${sql})[1]`;

/** An element as an expression, such as the variable of a lambda function. */
export const elementOf = (element: ElementType, sql: string, at: number): Expression => ({
  sql,
  type: element,
  at,
});
