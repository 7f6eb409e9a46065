import { compileCast } from '../expressions/casts.ts';
import { commonType } from '../expressions/common-type.ts';
import { groupKey } from '../expressions/ordering.ts';
import type { Expression } from '../expression.ts';

/** Casts two values to a common type, as engine keys that are equal exactly if the values are equal in SQL. */
export function joinKeys(a: Expression, b: Expression, at: number): [string, string] {
  const type = commonType([a, b], at, '=');
  const key = (value: Expression): string => {
    const sql = groupKey(compileCast(value, type, at), 'joining on');
    // An array that is NULL is an empty list in the engine, which would equal another NULL.
    if (type.name === 'array') return `if(empty(${sql}), NULL, toString(${sql}))`;
    // NaN equals itself in PostgreSQL, but nothing in the engine.
    return type.name === 'double precision' ? `reinterpretAsUInt64(${sql})` : sql;
  };
  return [key(a), key(b)];
}
