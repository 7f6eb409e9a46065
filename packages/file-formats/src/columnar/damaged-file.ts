import { FileParseError } from '../file-parse-error.ts';

/** What is wrong with the bytes of a file, found while reading it. */
export class DamagedFile extends Error {}

/** Something that a file may have and that is not supported. The message says what to do. */
export class UnsupportedFile extends Error {}

/** Readers of hostile bytes fail in many ways; all of them say that the file cannot be read. */
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
