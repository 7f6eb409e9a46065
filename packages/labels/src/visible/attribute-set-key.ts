/**
 * Returns a cache key for a set of attributes: equal for equal sets in any order, different for different sets.
 */
export function attributeSetKey(attributes: Iterable<string>): string {
  return JSON.stringify([...new Set(attributes)].toSorted());
}
