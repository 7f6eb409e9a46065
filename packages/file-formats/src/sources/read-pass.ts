import type { FileLimits } from '../file-limits.ts';
import { FileParseError } from '../file-parse-error.ts';

/** An error that rejects a whole upload, even if other files of the archive could be read. */
export class ExpansionError extends FileParseError {}

/** One pass over a file, from its beginning. */
export interface ReadPass {
  /** Whether this pass reads rows. Other passes read only the beginning of the file, to detect its format. */
  readonly isFinal: boolean;
  /** Counts bytes of the file as it was sent. */
  addInput(bytes: number): void;
  /** Counts bytes after decompression. @throws ExpansionError when they are too many */
  addOutput(bytes: number): void;
}

/** The bytes after decompression that are always allowed, because small files compress very well. */
const freeBytes = 10_000_000;

/** Counts the bytes of a pass. Several passes may share the counts. */
export function createPasses(
  { maxExpandedBytes, maxExpansion }: FileLimits,
  fileName: string,
): (isFinal: boolean) => ReadPass {
  let input = 0;
  let output = 0;
  const counts = {
    addInput(bytes: number) {
      input += bytes;
    },
    addOutput(bytes: number) {
      output += bytes;
      if (output > maxExpandedBytes) {
        throw new ExpansionError(
          fileName,
          0,
          `it has more than ${String(maxExpandedBytes)} bytes after decompression. Split the file.`,
        );
      }
      if (output > freeBytes && output > input * maxExpansion) {
        throw new ExpansionError(
          fileName,
          0,
          `it grows to more than ${String(maxExpansion)} times its size when it is decompressed, which files with data do not. Send it without compression.`,
        );
      }
    },
  };
  return (isFinal) => ({ isFinal, ...counts });
}
