import { compileCast } from '../expressions/casts.ts';
import { commonType } from '../expressions/common-type.ts';
import { groupKey } from '../expressions/ordering.ts';
import type { Expression } from '../expression.ts';

/**
 * Casts two values to a common type and converts them to engine keys, which are equal exactly if the values are equal.
 */
export function joinKeys(a: Expression, b: Expression, at: number): [string, string] {
  const type = commonType([a, b], at, '=');
  const key = (value: Expression): string => {
    const sql = groupKey(compileCast(value, type, at), 'joining on');
    // In the engine, a NULL array is an empty list, which would equal another NULL array.
    if (type.name === 'array') return `if(empty(${sql}), NULL, toString(${sql}))`;
    // NaN equals itself in PostgreSQL, but nothing in the engine.
    return type.name === 'double precision' ? `reinterpretAsUInt64(${sql})` : sql;
  };
  return [key(a), key(b)];
}
