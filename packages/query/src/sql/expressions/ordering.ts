import type { Expression } from '../expression.ts';
import { unsupported } from '../fault.ts';
import { typeText } from '../types.ts';

/** An element of ORDER BY of the engine. PostgreSQL takes NaN for greater than all other numbers. */
export function sortKey(e: Expression, descending: boolean, nullsFirst: boolean): string {
  const way = `${descending ? 'DESC' : 'ASC'} NULLS ${nullsFirst ? 'FIRST' : 'LAST'}`;
  const key = groupKey(e, 'ordering by');
  return e.type.name === 'double precision' ? `isNaN(${e.sql}) ${way}, ${key} ${way}` : `${key} ${way}`;
}

/** What equal values share: engine SQL of the value's type. */
export function groupKey(e: Expression, use = 'grouping by'): string {
  if (e.type.name === 'jsonb') throw unsupported(`${use} jsonb`, e.at);
  if (e.type.name === 'array') throw unsupported(`${use} ${typeText(e.type)}`, e.at);
  return e.type.name === 'double precision' ? `if(${e.sql} = 0, 0, ${e.sql})` : e.sql;
}

export interface SortKey {
  readonly expression: Expression;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/**
 * Engine SQL, never NULL, whose ascending order is the order asked for, so that keys of several directions can be sorted
 * as one tuple.
 */
export function ascendingKey({ expression, descending, nullsFirst }: SortKey): string {
  const { sql } = expression;
  const absent = `isNull(${sql})`;
  return `${nullsFirst ? `NOT ${absent}` : absent}, ${descending ? descendingValue(expression) : ascendingValue(expression)}`;
}

function ascendingValue(e: Expression): string {
  const key = groupKey(e, 'ordering by');
  switch (e.type.name) {
    case 'double precision':
      return `ifNull(isNaN(${e.sql}), false), if(isFinite(${e.sql}) OR isInfinite(${e.sql}), assumeNotNull(${key}), 0)`;
    case 'timestamp':
    case 'timestamptz':
      return `ifNull(toUnixTimestamp64Micro(${key}), 0)`;
    case 'date':
      return `ifNull(toInt32(${key}), 0)`;
    case 'text':
    case 'unknown':
      return `ifNull(${key}, '')`;
    default:
      return `ifNull(${key}, 0)`;
  }
}

function descendingValue(e: Expression): string {
  const ascending = ascendingValue(e);
  switch (e.type.name) {
    case 'double precision':
      return `NOT ifNull(isNaN(${e.sql}), false), -if(isFinite(${e.sql}) OR isInfinite(${e.sql}), assumeNotNull(${groupKey(e)}), 0)`;
    case 'text':
    case 'unknown':
      // The digits of its bytes turned round; the mark at the end, greater than all digits, puts a beginning after the whole.
      return `concat(translate(hex(${ascending}), '0123456789ABCDEF', 'FEDCBA9876543210'), 'G')`;
    case 'boolean':
      return `NOT ${ascending}`;
    case 'numeric':
      return `-${ascending}`;
    default:
      return `bitNot(${ascending})`;
  }
}
