/**
 * Whether a path is hidden or lies inside a hidden one. A path joins the keys that lead to a value with ".", as in the
 * schema, so `{"a.b":1}` and `{"a":{"b":1}}` contain the same column.
 */
export const isHiddenPath = (hidden: readonly string[], path: string): boolean =>
  hidden.some((column) => path === column || path.startsWith(`${column}.`));

/** Whether a hidden path lies inside this one. The path itself does not count. */
export const containsHiddenPath = (hidden: readonly string[], path: string): boolean =>
  hidden.some((column) => column.startsWith(`${path}.`));

/** Drops duplicates and the paths that lie inside another one; returns the rest sorted. */
export function removeNestedPaths(paths: readonly string[]): readonly string[] {
  const sorted = [...new Set(paths)].toSorted((a, b) => a.length - b.length);
  const covering: string[] = [];
  for (const path of sorted) if (!isHiddenPath(covering, path)) covering.push(path);
  return covering.toSorted();
}
