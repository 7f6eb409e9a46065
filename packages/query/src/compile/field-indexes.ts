import { columnExpression } from '../sql/scan-columns.ts';
import { isDocPath, kindBit, kinds, numberFlagBits } from '../storage/record-columns.ts';
import { createSearchPath } from './path.ts';
import type { PathEntry } from './search-types.ts';

/** A field to index, with its catalog entry. */
export interface IndexedField extends PathEntry {
  path: string;
}

/** A skip index of the engine: the part of its definition that follows the name. */
export interface FieldIndex {
  definition: string;
}

const has = ({ kinds: seen }: PathEntry, kind: number): boolean => (seen & kindBit(kind as never)) !== 0;

/** The expressions that ranges compare: numbers and timestamps. */
function listOrderedValues(field: IndexedField): string[] {
  const { path } = field;
  const { scalar } = createSearchPath(path, field);
  return [
    ...(isDocPath(path) && has(field, kinds.integer) ? [scalar('Int64')] : []),
    ...(isDocPath(path) && has(field, numberFlagBits.unsigned) ? [scalar('UInt64')] : []),
    ...(isDocPath(path) && has(field, kinds.float) ? [scalar('Float64')] : []),
    ...(has(field, kinds.timestamp) ? [columnExpression(field, 'timestamp', '')] : []),
  ];
}

/** The expressions that equality compares: texts and integers. */
function listEqualityValues(field: IndexedField): string[] {
  const { path } = field;
  if (!isDocPath(path)) return [];
  const { scalar } = createSearchPath(path, field);
  return [
    ...(has(field, kinds.integer) ? [scalar('Int64')] : []),
    ...(has(field, kinds.text) || has(field, kinds.timestamp) ? [scalar('String')] : []),
  ];
}

const defineIndex = (expressions: readonly string[], type: string): FieldIndex[] =>
  expressions.length === 0 ? [] : [{ definition: `(${expressions.join(', ')}) TYPE ${type} GRANULARITY 1` }];

/**
 * Returns the skip indexes for one or more fields: the minimum and maximum of numbers and timestamps, for ranges, and a
 * Bloom filter of texts and integers, for equality. The engine uses an index only for conditions on the same
 * expression, so the indexes contain exactly the expressions that searches and statements compile to. Values of other
 * kinds and values in arrays are not indexed: an index on an array expression would make every later insert fail.
 */
export const fieldIndexes = (fields: readonly IndexedField[]): FieldIndex[] => [
  ...defineIndex(fields.flatMap(listOrderedValues), 'minmax'),
  ...defineIndex(fields.flatMap(listEqualityValues), 'bloom_filter(0.01)'),
];
