import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { matchesGlob } from 'node:path';

/**
 * Sorts the test files of a step, so that no long one runs last: first those that match `long`, then by size. With a
 * seed, the order of the others is random, so that a file which works only after another is found.
 */
export function orderFiles(
  files: readonly string[],
  { long = '', seed }: { readonly long?: string | undefined; readonly seed?: string | undefined } = {},
): string[] {
  const rankOf = (file: string): number => {
    if (matchesGlob(file, long)) return Infinity;
    if (seed === undefined) return statSync(file).size;
    return createHash('sha256').update(`${seed} ${file}`).digest().readUInt32BE();
  };
  return files
    .map((file) => ({ file, rank: rankOf(file) }))
    .toSorted((a, b) => (a.rank === b.rank ? 0 : b.rank - a.rank))
    .map(({ file }) => file);
}
