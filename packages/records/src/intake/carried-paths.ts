import { isHiddenPath, type SortedPaths } from '@redoubt/labels';
import { kinds, pathOfCode, type PathEntry } from '@redoubt/query';
import type { RecordParts } from './record-reader.ts';

/** The paths whose stored values the engine carries over from replaced records. */
export interface CarriedPaths {
  /**
   * Whether a replaced record has the same kinds of values at the carried paths as the record that replaces it. The
   * paths are then among `ids`. The kinds differ if a value has moved, for example out of an array, or if the replaced
   * record has an object twice, of which searches find only the last.
   * @param codes the field codes of the replaced record
   * @param parts the record that replaces it
   */
  matches(codes: readonly number[], parts: Pick<RecordParts, 'fields'>): boolean;
  ids(): number[];
}

const topBit = 16;
const kindMask = 15;

/** Objects and arrays contain no values themselves. They may appear or go when a value moves. */
const isValue = (code: number): boolean => {
  const kind = code & kindMask;
  return kind !== kinds.object && kind !== kinds.array;
};

/** Codes do not depend on whether a key is at the top: a carried value may have moved there. */
const withoutTop = (code: number): number => code & ~topBit;

/**
 * @param hidden the paths that are hidden from the writer
 * @param knownPaths all paths of the dataset
 */
export function createCarriedPaths(
  hidden: SortedPaths,
  knownPaths: ReadonlyMap<string, PathEntry>,
): CarriedPaths {
  const found = new Set<number>();
  let hiddenIds: ReadonlySet<number> | undefined;

  /** Looked up for the first record, because there may be very many paths. */
  const idsOfHidden = (): ReadonlySet<number> =>
    new Set([...knownPaths].flatMap(([path, { pathId }]) => (isHiddenPath(hidden, path) ? [pathId] : [])));

  function carriedCodes(codes: readonly number[]): Set<number> {
    const ids = (hiddenIds ??= idsOfHidden());
    const carried = new Set<number>();
    for (const code of codes) {
      if (isValue(code) && ids.has(pathOfCode(code))) carried.add(withoutTop(code));
    }
    return carried;
  }

  return {
    matches(codes, { fields }) {
      const before = carriedCodes(codes);
      const after = carriedCodes(fields === '' ? [] : fields.slice(0, -1).split(',').map(Number));
      if (before.size !== after.size || ![...before].every((code) => after.has(code))) return false;
      for (const code of before) found.add(pathOfCode(code));
      return true;
    },
    ids: () => [...found],
  };
}
