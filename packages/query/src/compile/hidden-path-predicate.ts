import type { HiddenPathIds } from './visible-paths.ts';

/** Up to this many ids, a list is as fast as a bit string. */
const maxListLength = 16;

/**
 * Compiles the predicate that the path id in the variable `path` is hidden, or newer than the list of hidden paths. A
 * statement repeats this predicate for each word, so a long list is printed as a short bit string. Otherwise the
 * statement could exceed its size limit, which would disclose that hidden columns exist.
 */
export function compileHiddenPathPredicate({ ids, known }: NonNullable<HiddenPathIds>): string {
  const later = `path >= ${String(known)}`;
  if (ids.length === 0) return later;
  if (ids.length <= maxListLength) return `(path IN (${ids.join(', ')}) OR ${later})`;
  const bytes = Buffer.alloc(Math.ceil(known / 8));
  for (const id of ids) bytes[id >> 3] = (bytes[id >> 3] ?? 0) | (1 << (id & 7));
  const bits = `reinterpret(base64Decode('${bytes.toString('base64')}'), 'Array(UInt8)')`;
  return `(bitTest(${bits}[intDiv(path, 8) + 1], path % 8) OR ${later})`;
}
