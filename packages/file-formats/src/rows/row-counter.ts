import type { RowBatch } from '../file-format.ts';
import type { FileLimits } from '../file-limits.ts';
import { FileParseError } from '../file-parse-error.ts';

/** Ends a file that has too many rows. */
export function createRowCounter(
  { maxRows }: Pick<FileLimits, 'maxRows'>,
  fileName: string,
): { count(batch: RowBatch): RowBatch } {
  let total = 0;
  return {
    count(batch) {
      total += batch.length;
      if (total <= maxRows) return batch;
      const line = batch[batch.length - (total - maxRows)]?.line ?? 0;
      throw new FileParseError(fileName, line, `it has more than ${String(maxRows)} rows. Split the file.`);
    },
  };
}
