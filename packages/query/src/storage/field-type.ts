import { isDocPath, kindBit, kinds, numberFlagBits } from './record-columns.ts';

/** The SQL type of a field, by PostgreSQL's names. */
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
 * Infers the type of a field from the kinds of its values. Nulls are ignored; a mixture without a common type is text.
 * @param seen the mask of kinds and number flags of visible records only, so that the type discloses no hidden values
 */
export function fieldTypeOf(path: string, seen: number): FieldType {
  const mask = seen & ~bit.null;
  if (within(mask, bit.nested | bit.element) && (mask & bit.nested) !== 0) return 'jsonb';
  if (within(mask, bit.whole)) return 'bigint';
  if ((mask & bit.float) !== 0 && within(mask, bit.whole | bit.unsigned | bit.float | bit.inexact)) {
    return 'double precision';
  }
  const numbers = bit.whole | bit.unsigned | bit.float | bit.big | bit.element;
  // Values at a path that `doc` cannot name have the kind `element` only, so they are never numeric.
  if ((mask & (bit.big | bit.unsigned)) !== 0 && within(mask, numbers) && isDocPath(path)) return 'numeric';
  if (within(mask, bit.boolean)) return 'boolean';
  if (within(mask, bit.timestamp)) return 'timestamp';
  return 'text';
}
