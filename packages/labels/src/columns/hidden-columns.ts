/**
 * Whether a path is one of the hidden ones or inside one. A path is the keys down to a value joined with ".", as in the
 * schema, so that {"a.b":1} and {"a":{"b":1}} hold the same column.
 */
export const isHiddenPath = (hidden: readonly string[], path: string): boolean =>
  hidden.some((column) => path === column || path.startsWith(`${column}.`));

/** Whether some hidden path is inside this one. */
export const containsHiddenPath = (hidden: readonly string[], path: string): boolean =>
  hidden.some((column) => column.startsWith(`${path}.`));

/** The paths that are inside no other, sorted. */
export function removeNestedPaths(paths: readonly string[]): readonly string[] {
  const sorted = [...new Set(paths)].toSorted((a, b) => a.length - b.length);
  const covering: string[] = [];
  for (const path of sorted) if (!isHiddenPath(covering, path)) covering.push(path);
  return covering.toSorted();
}
