import { hiddenPathsInside, isHiddenPath, requireSortedPaths, type SortedPaths } from '@redoubt/labels';
import type { ByteCursor } from './byte-cursor.ts';

const dot = 0x2e;

/** A place in records, with the rests of the hidden paths that lead through it: keys joined with ".". */
export interface Place {
  rests: SortedPaths;
  /** The hashes of the first keys of the rests. Most keys of a record are none of them, and are not decoded. */
  starts: ReadonlySet<number>;
  /** The places inside it, by key. */
  below: Map<string, Place>;
}

/** What a key leads to: a hidden value, a place with hidden values inside, or undefined for visible values. */
export type Found = Place | 'hidden' | undefined;

/** The places of lists that were used before: each page of a response uses the same. */
const known = new WeakMap<SortedPaths, Place>();

/** @param paths the hidden paths, sorted, none of them inside another */
export function placeOf(paths: SortedPaths): Place {
  let place = known.get(paths);
  if (place !== undefined) return place;
  requireSortedPaths(paths);
  known.set(paths, (place = createPlace(paths)));
  return place;
}

const createPlace = (rests: SortedPaths): Place => ({
  rests,
  starts: new Set(
    rests.map((rest) => {
      const bytes = Buffer.from(rest);
      return hashStart(bytes, 0, bytes.length);
    }),
  ),
  below: new Map(),
});

/** Hashes the bytes up to the first dot (FNV-1a). */
function hashStart(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte === undefined || byte === dot) break;
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return hash;
}

/** Resolves the key that the cursor has just skipped, which starts with a quote at `from`. */
export function findKey(place: Place, { bytes, at, hasEscapes }: ByteCursor, from: number): Found {
  if (hasEscapes) return follow(place, JSON.parse(bytes.toString('utf8', from, at)) as string);
  if (!place.starts.has(hashStart(bytes, from + 1, at - 1))) return undefined;
  return follow(place, bytes.toString('utf8', from + 1, at - 1));
}

/** Resolves a key from a place. */
function follow(place: Place, key: string): Found {
  if (isHiddenPath(place.rests, key)) return 'hidden';
  const before = place.below.get(key);
  if (before !== undefined) return before;
  const rests = hiddenPathsInside(place.rests, key);
  if (rests.length === 0) return undefined;
  const below = createPlace(rests);
  place.below.set(key, below);
  return below;
}
