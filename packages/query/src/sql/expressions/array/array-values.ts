import type { Expression } from '../../expression.ts';
import type { ElementType } from '../../types.ts';

/** The elements of an array; the empty list for a NULL array. */
export const fromArray = (sql: string): string => `(${sql})[1]`;

/** An array element as an expression, such as the variable of a lambda. */
export const elementOf = (element: ElementType, sql: string, at: number): Expression => ({
  sql,
  type: element,
  at,
});
