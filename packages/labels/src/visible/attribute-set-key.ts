/**
 * One text for a set of attributes, whatever their order: equal for equal sets, different for different ones (the
 * attributes are quoted, so none can run into the next).
 */
export function attributeSetKey(attributes: Iterable<string>): string {
  return JSON.stringify([...new Set(attributes)].toSorted());
}
