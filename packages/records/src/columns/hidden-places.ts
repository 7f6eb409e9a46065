import type { ByteCursor } from './byte-cursor.ts';

const dot = 0x2e;

/** The rest of a hidden path from a place in a record: keys joined with ".". */
interface Rest {
  text: string;
  bytes: Buffer;
}

/** A place in records, with the rests of the hidden paths that lead through it. */
export interface Place {
  rests: readonly Rest[];
  /** The places inside it, by key. */
  below: Map<string, Place | undefined>;
}

export const placeOf = (paths: readonly string[]): Place => ({
  rests: paths.map((text) => ({ text, bytes: Buffer.from(text) })),
  below: new Map(),
});

/** What a key leads to: a hidden value, a place with hidden values inside, or undefined for visible values. */
export type Found = Place | 'hidden' | undefined;

/** Resolves the key that the cursor has just skipped, which starts with a quote at `from`. */
export function findKey(place: Place, { bytes, at, hasEscapes }: ByteCursor, from: number): Found {
  if (hasEscapes) return follow(place, JSON.parse(bytes.toString('utf8', from, at)) as string);
  const [start, end] = [from + 1, at - 1];
  for (const { bytes: rest } of place.rests) {
    const same = Math.min(rest.length, end - start);
    if (same > 0 && rest[0] !== bytes[start]) continue;
    const after = same < rest.length ? rest[same] : start + same < end ? bytes[start + same] : dot;
    if (after === dot && bytes.compare(rest, 0, same, start, start + same) === 0) {
      return follow(place, bytes.toString('utf8', start, end));
    }
  }
  return undefined;
}

/** Resolves a key from a place. */
function follow(place: Place, key: string): Found {
  if (place.rests.some(({ text }) => key === text || key.startsWith(`${text}.`))) return 'hidden';
  if (place.below.has(key)) return place.below.get(key);
  const rests = place.rests.flatMap(({ text }) =>
    text.startsWith(`${key}.`) ? [text.slice(key.length + 1)] : [],
  );
  if (rests.length === 0) return undefined;
  const below = placeOf(rests);
  place.below.set(key, below);
  return below;
}
