import { isDocPath, kindBit, kinds, numberFlagBits } from './record-columns.ts';

/** The type of a field, under PostgreSQL's names. */
export type FieldType =
  | 'bigint'
  | 'boolean'
  | 'double precision'
  | 'jsonb'
  | 'numeric'
  | 'text'
  | 'timestamp';

const bit = {
  null: kindBit(kinds.null),
  whole: kindBit(kinds.integer),
  float: kindBit(kinds.float),
  big: kindBit(kinds.big),
  boolean: kindBit(kinds.boolean),
  timestamp: kindBit(kinds.timestamp),
  nested: kindBit(kinds.object) | kindBit(kinds.array),
  element: kindBit(kinds.element),
  unsigned: kindBit(numberFlagBits.unsigned),
  inexact: kindBit(numberFlagBits.inexact),
};

const within = (mask: number, allowed: number): boolean => mask !== 0 && (mask & ~allowed) === 0;

/**
 * The type of what stands at a path. Nulls say nothing of a type; what is mixed otherwise is text.
 * @param seen the mask of kinds and marks of the records that the reader sees, and of no others
 */
export function fieldTypeOf(path: string, seen: number): FieldType {
  const mask = seen & ~bit.null;
  if (within(mask, bit.nested | bit.element) && (mask & bit.nested) !== 0) return 'jsonb';
  if (within(mask, bit.whole)) return 'bigint';
  if ((mask & bit.float) !== 0 && within(mask, bit.whole | bit.unsigned | bit.float | bit.inexact)) {
    return 'double precision';
  }
  const numbers = bit.whole | bit.unsigned | bit.float | bit.big | bit.element;
  // What stands at a path that `doc` has no name for is an element and nothing more.
  if ((mask & (bit.big | bit.unsigned)) !== 0 && within(mask, numbers) && isDocPath(path)) return 'numeric';
  if (within(mask, bit.boolean)) return 'boolean';
  if (within(mask, bit.timestamp)) return 'timestamp';
  return 'text';
}
