import { zipSync } from 'fflate';
import type { ArchiveFile } from '../archives/archive-file.ts';
import type { FileLimits } from '../file-limits.ts';
import { FileParseError } from '../file-parse-error.ts';
import type { ReadPass } from '../sources/read-pass.ts';

/** Which parts of a document to unpack, and how messages call it. */
export interface PartOptions {
  readonly fileName: string;
  readonly kind: 'document' | 'workbook';
  /** What to do with a document that is too large. */
  readonly advice: string;
  /** Matches the paths of the parts. */
  readonly wanted: RegExp;
  /** Changes a part. */
  readonly change?: (path: string, bytes: Buffer) => Buffer;
}

/** The unpacked parts of a document that is a zip archive. */
export interface DocumentParts {
  get(path: string): Uint8Array | undefined;
  /** An archive of the parts without compression, so that a library needs no more memory than it has bytes. */
  toZip(): Buffer;
}

/** Unpacks the parts of a document, and checks their size meanwhile. */
export async function repackParts(
  files: AsyncIterable<ArchiveFile>,
  pass: ReadPass,
  { maxDocumentBytes }: Pick<FileLimits, 'maxDocumentBytes'>,
  { fileName, kind, advice, wanted, change }: PartOptions,
): Promise<DocumentParts> {
  const parts = new Map<string, Uint8Array>();
  let left = maxDocumentBytes;
  for await (const { path, source, problem } of files) {
    if (!wanted.test(path)) continue;
    if (problem !== undefined)
      throw new FileParseError(fileName, 0, `its part ${path} cannot be read: ${problem}`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of source.stream(pass)) {
      left -= chunk.length;
      if (left < 0) throw tooLarge();
      chunks.push(chunk);
    }
    const bytes = Buffer.concat(chunks);
    parts.set(path, change?.(path, bytes) ?? bytes);
  }
  return {
    get: (path) => parts.get(path),
    toZip: () => Buffer.from(zipSync(Object.fromEntries(parts), { level: 0 })),
  };

  function tooLarge(): FileParseError {
    return new FileParseError(
      fileName,
      0,
      `the ${kind} has more than ${String(maxDocumentBytes)} bytes without its compression. ${advice}`,
    );
  }
}
