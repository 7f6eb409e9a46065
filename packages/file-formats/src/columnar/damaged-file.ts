import { FileParseError } from '../file-parse-error.ts';

/** A file is damaged. The message says what is wrong with its bytes. */
export class DamagedFile extends Error {}

/** A valid file uses an unsupported feature. The message says what to do. */
export class UnsupportedFile extends Error {}

/**
 * Converts every failure of a reader to the error "the file cannot be read": hostile bytes make readers fail in many
 * ways.
 */
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
