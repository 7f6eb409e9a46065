import { columnExpression } from '../sql/scan-columns.ts';
import { isDocPath, kindBit, kinds, numberFlagBits } from '../storage/record-columns.ts';
import { createSearchPath } from './path.ts';
import type { PathEntry } from './search-types.ts';

/** A field that is to be indexed, as the catalog knows it. */
export interface IndexedField extends PathEntry {
  path: string;
}

/** A skip index of the engine: what follows its name in a statement. */
export interface FieldIndex {
  definition: string;
}

const has = ({ kinds: seen }: PathEntry, kind: number): boolean => (seen & kindBit(kind as never)) !== 0;

/** Values that have an order which ranges ask for: numbers and moments. */
function orderedOf(field: IndexedField): string[] {
  const { path } = field;
  const { scalar } = createSearchPath(path, field);
  return [
    ...(isDocPath(path) && has(field, kinds.integer) ? [scalar('Int64')] : []),
    ...(isDocPath(path) && has(field, numberFlagBits.unsigned) ? [scalar('UInt64')] : []),
    ...(isDocPath(path) && has(field, kinds.float) ? [scalar('Float64')] : []),
    ...(has(field, kinds.timestamp) ? [columnExpression(field, 'timestamp', '')] : []),
  ];
}

/** Values that are asked for by themselves: texts and whole numbers. */
function namedOf(field: IndexedField): string[] {
  const { path } = field;
  if (!isDocPath(path)) return [];
  const { scalar } = createSearchPath(path, field);
  return [
    ...(has(field, kinds.integer) ? [scalar('Int64')] : []),
    ...(has(field, kinds.text) || has(field, kinds.timestamp) ? [scalar('String')] : []),
  ];
}

const over = (expressions: readonly string[], type: string): FieldIndex[] =>
  expressions.length === 0 ? [] : [{ definition: `(${expressions.join(', ')}) TYPE ${type} GRANULARITY 1` }];

/**
 * The skip indexes that serve searches and statements about these fields, one field or several together: the smallest and
 * largest values of numbers and moments, for ranges, and a Bloom filter of texts and whole numbers, for equality. Each is over
 * the very expressions that searches and statements are compiled to, as the engine uses it for no others. Values of other kinds,
 * and values in arrays, are in none: an index over expressions that are arrays would make each later insert fail.
 */
export const fieldIndexes = (fields: readonly IndexedField[]): FieldIndex[] => [
  ...over(fields.flatMap(orderedOf), 'minmax'),
  ...over(fields.flatMap(namedOf), 'bloom_filter(0.01)'),
];
