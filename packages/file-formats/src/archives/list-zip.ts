import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import {
  fromBufferPromise,
  fromRandomAccessReaderPromise,
  openPromise,
  RandomAccessReader,
  type Entry,
  type ZipFile,
} from 'yauzl';
import { FileParseError } from '../file-parse-error.ts';
import type { OpenContext } from '../open-context.ts';
import type { DataSource } from '../sources/data-source.ts';
import type { ReadPass } from '../sources/read-pass.ts';
import { toSeekable } from '../sources/seekable-source.ts';
import type { ArchiveFile, ArchiveFiles } from './archive-file.ts';

/**
 * Lists the files of a zip archive.
 * @returns the files, and their paths up to the limit of files
 */
export async function listZip(
  source: DataSource,
  context: OpenContext,
): Promise<{ files: ArchiveFiles; paths: ReadonlySet<string> }> {
  const { fileName } = context.options;
  const seekable = await toSeekable(source, context.newPass(false), context.limits, fileName);

  async function* files(pass: ReadPass): AsyncGenerator<ArchiveFile> {
    try {
      const zip = await openZipFile(seekable, pass);
      for await (const entry of zip.eachEntry()) {
        if (!entry.fileName.endsWith('/')) yield fileOf(zip, entry, fileName);
      }
    } catch (error) {
      throw toFileError(error, fileName);
    }
  }

  const paths = new Set<string>();
  for await (const { path } of files(context.newPass(false))) {
    paths.add(path);
    if (paths.size > context.limits.maxArchiveFiles) break;
  }
  return { files, paths };
}

async function openZipFile(source: DataSource, pass: ReadPass): Promise<ZipFile> {
  const options = { lazyEntries: true, autoClose: true };
  if (source.path !== undefined) return openPromise(source.path, options);
  const size = source.size ?? 0;
  if (size > maxBufferedZip)
    return fromRandomAccessReaderPromise(new SourceReader(source, pass), size, options);
  const parts: Uint8Array[] = [];
  for await (const part of source.stream(pass)) parts.push(part);
  return fromBufferPromise(Buffer.concat(parts), options);
}

/** Archives up to this size are read into memory, because a zip archive needs many small reads. */
const maxBufferedZip = 16_000_000;

class SourceReader extends RandomAccessReader {
  readonly #source: DataSource;
  readonly #pass: ReadPass;

  constructor(source: DataSource, pass: ReadPass) {
    super();
    this.#source = source;
    this.#pass = pass;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(takeBytes(this.#source.stream(this.#pass, start), end - start));
  }
}

async function* takeBytes(bytes: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let left = count;
  if (left === 0) return;
  for await (const chunk of bytes) {
    yield chunk.subarray(0, left);
    left -= Math.min(left, chunk.length);
    if (left === 0) return;
  }
}

function fileOf(zip: ZipFile, entry: Entry, fileName: string): ArchiveFile {
  return {
    path: entry.fileName,
    problem: problemOf(entry),
    source: {
      size: entry.uncompressedSize,
      isSeekable: false,
      async *stream(pass) {
        pass.addInput(entry.compressedSize);
        let checksum = 0;
        try {
          const stream = await zip.openReadStreamPromise(entry);
          for await (const chunk of stream as AsyncIterable<Buffer>) {
            pass.addOutput(chunk.length);
            checksum = crc32(chunk, checksum);
            yield chunk;
          }
        } catch (error) {
          throw toFileError(error, fileName);
        }
        if (checksum !== entry.crc32) throw damaged(fileName, 'a checksum differs');
      },
    },
  };
}

function problemOf(entry: Entry): string | undefined {
  if (entry.isEncrypted()) return 'it is encrypted. Remove the password and send it again.';
  if (![0, 8].includes(entry.compressionMethod)) {
    return `its compression method ${String(entry.compressionMethod)} is not supported. Use deflate.`;
  }
  return undefined;
}

const damaged = (fileName: string, detail: string): FileParseError =>
  new FileParseError(fileName, 0, `the zip archive is damaged or cut off (${detail}). Send the file again.`);

/** Whether an error is about the archive itself, as opposed to a failed read. */
function toFileError(error: unknown, fileName: string): unknown {
  if (error instanceof FileParseError || !(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : 'Z_';
  return code.startsWith('Z_') || code.startsWith('ERR_') ? damaged(fileName, error.message) : error;
}
