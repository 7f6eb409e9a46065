import type { HiddenPathIds } from './visible-paths.ts';

/** Up to this many numbers a list is as fast as a bit string. */
const longestList = 16;

/**
 * The condition that the number `path` is of a hidden path, or was given after the hidden ones were looked up. Its size does
 * not grow with the number of hidden paths as a list would: a statement has it for each of its words, and a limit that it
 * reaches would tell of hidden columns.
 */
export function compileHiddenPathPredicate({ ids, known }: NonNullable<HiddenPathIds>): string {
  const later = `path >= ${String(known)}`;
  if (ids.length === 0) return later;
  if (ids.length <= longestList) return `(path IN (${ids.join(', ')}) OR ${later})`;
  const bytes = Buffer.alloc(Math.ceil(known / 8));
  for (const id of ids) bytes[id >> 3] = (bytes[id >> 3] ?? 0) | (1 << (id & 7));
  const bits = `reinterpret(base64Decode('${bytes.toString('base64')}'), 'Array(UInt8)')`;
  return `(bitTest(${bits}[intDiv(path, 8) + 1], path % 8) OR ${later})`;
}
