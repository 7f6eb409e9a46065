/** Paths sorted by UTF-16 code units. Lookups are binary searches, because a read looks up all paths of a dataset. */
export type SortedPaths = readonly string[];

/** How many paths are before `text`, which itself counts only if `includesEqual` is set. */
function countBefore(paths: SortedPaths, text: string, includesEqual: boolean): number {
  let from = 0;
  let to = paths.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const path = String(paths[middle]);
    if (path < text || (includesEqual && path === text)) from = middle + 1;
    else to = middle;
  }
  return from;
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}

/**
 * Whether a path is hidden or lies inside a hidden one. Requires sorted paths. A path joins the keys that lead to a value with ".", as in the
 * schema, so `{"a.b":1}` and `{"a":{"b":1}}` contain the same column.
 */
export function isHiddenPath(hidden: SortedPaths, path: string): boolean {
  let outer = path;
  for (;;) {
    const before = hidden[countBefore(hidden, outer, true) - 1];
    if (before === undefined) return false;
    if (before === outer) return true;
    // All texts between a path and one inside it begin with the outer path, so it is a part of what these two share.
    const dot = outer.includes('.') ? outer.lastIndexOf('.', sharedLength(outer, before)) : -1;
    if (dot === -1) return false;
    outer = outer.slice(0, dot);
  }
}

const startOfInside = (hidden: SortedPaths, path: string): number => countBefore(hidden, `${path}.`, false);

/** Whether a hidden path lies inside this one. The path itself does not count. */
export const containsHiddenPath = (hidden: SortedPaths, path: string): boolean =>
  hidden[startOfInside(hidden, path)]?.startsWith(`${path}.`) === true;

/** Returns the rests of the hidden paths inside this one, sorted, none inside another. */
export function hiddenPathsInside(hidden: SortedPaths, path: string): SortedPaths {
  // "/" is the character after ".", so this is the first path after those inside.
  const end = countBefore(hidden, `${path}/`, false);
  return hidden.slice(startOfInside(hidden, path), end).map((inside) => inside.slice(path.length + 1));
}

/** Drops duplicates and the paths that lie inside another one; returns the rest sorted. */
export function removeNestedPaths(paths: readonly string[]): SortedPaths {
  const all = new Set(paths);
  const isInside = (path: string): boolean => {
    for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1))
      if (all.has(path.slice(0, dot))) return true;
    return false;
  };
  return [...all].filter((path) => !isInside(path)).toSorted();
}

/** Whether the list has this path, one around it or one inside it. */
export const touchesPath = (paths: SortedPaths, path: string): boolean =>
  isHiddenPath(paths, path) || containsHiddenPath(paths, path);

/** @throws Error for paths that lookups would miss, so that no column is shown because of their order */
export function requireSortedPaths(paths: SortedPaths): void {
  let before: string | undefined;
  for (const path of paths) {
    if (before !== undefined && before >= path)
      throw new Error('Hidden columns must be sorted, without duplicates. Use findHiddenColumns.');
    before = path;
  }
}
