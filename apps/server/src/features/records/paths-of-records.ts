import type { SortedPaths } from '@redoubt/labels';

/** Lists the paths of all members of parsed JSON values, also of objects in arrays. Arrays add no key. */
export const pathsOfRecords = (records: readonly unknown[]): SortedPaths => {
  const found = new Set<string>();
  const visit = (value: unknown, start: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const item of value) visit(item, start);
      return;
    }
    for (const [key, inner] of Object.entries(value)) {
      found.add(`${start}${key}`);
      visit(inner, `${start}${key}.`);
    }
  };
  visit(records, '');
  return [...found].toSorted();
};
