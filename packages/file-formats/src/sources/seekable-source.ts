import type { FileLimits } from '../file-limits.ts';
import { FileParseError } from '../file-parse-error.ts';
import { fromBytes, type DataSource } from './data-source.ts';
import type { ReadPass } from './read-pass.ts';

/** All bytes of a source, up to the limit of documents. */
export async function readWhole(
  source: DataSource,
  pass: ReadPass,
  { maxDocumentBytes }: Pick<FileLimits, 'maxDocumentBytes'>,
  fileName: string,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of source.stream(pass)) {
    length += part.length;
    if (length > maxDocumentBytes) {
      throw new FileParseError(
        fileName,
        0,
        `it has more than ${String(maxDocumentBytes)} bytes, the limit of files that are read as a whole. Split it, or send it as CSV or NDJSON.`,
      );
    }
    parts.push(part);
  }
  return Buffer.concat(parts, length);
}

/** The source itself if it is seekable, otherwise a copy in memory. */
export const toSeekable = async (
  source: DataSource,
  pass: ReadPass,
  limits: FileLimits,
  fileName: string,
): Promise<DataSource> =>
  source.isSeekable ? source : fromBytes(await readWhole(source, pass, limits, fileName));

/** A source whose bytes can be read at any offset without waiting: a file on this machine, or a copy in memory. */
export const toRandomAccess = async (
  source: DataSource,
  pass: ReadPass,
  limits: FileLimits,
  fileName: string,
): Promise<RandomAccess> => {
  const { size, readAt } = source;
  if (size !== undefined && readAt !== undefined) return { size, readAt };
  const bytes = await readWhole(source, pass, limits, fileName);
  return { size: bytes.length, readAt: (offset, length) => bytes.subarray(offset, offset + length) };
};

export interface RandomAccess {
  /** In bytes. */
  readonly size: number;
  /** Returns fewer bytes only at the end. */
  readAt(offset: number, length: number): Uint8Array;
}
