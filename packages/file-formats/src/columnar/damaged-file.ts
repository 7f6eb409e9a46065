import { FileParseError } from '../file-parse-error.ts';

/** A file whose bytes are damaged. The message says what is wrong. */
export class DamagedFile extends Error {}

/** A valid file that uses an unsupported feature. The message says what to do. */
export class UnsupportedFile extends Error {}

/** Readers fail in many ways on hostile bytes. This turns each failure into "the file cannot be read". */
export function toFileError(error: unknown, fileName: string, format: string): unknown {
  if (error instanceof FileParseError || !(error instanceof Error)) return error;
  if (error instanceof UnsupportedFile) return new FileParseError(fileName, 0, error.message);
  const reason = error.message.slice(0, 200).toWellFormed();
  return new FileParseError(
    fileName,
    0,
    `the ${format} file is damaged or cut off (${reason}). Write the file anew and send it again.`,
  );
}
