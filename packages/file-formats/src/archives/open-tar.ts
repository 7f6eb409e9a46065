import { pipeline, Readable } from 'node:stream';
import { extract, type Header } from 'tar-stream';
import type { OpenedFile } from '../file-format.ts';
import { FileParseError } from '../file-parse-error.ts';
import type { OpenContext } from '../open-context.ts';
import type { DataSource } from '../sources/data-source.ts';
import type { ReadPass } from '../sources/read-pass.ts';
import { createReplaySource } from '../sources/replay-source.ts';
import type { ArchiveFile } from './archive-file.ts';
import { openArchive } from './open-archive.ts';

/** Opens a tar archive. Its files are read one after another, as they arrive. */
export async function openTar(source: DataSource, context: OpenContext): Promise<OpenedFile> {
  const { fileName } = context.options;

  async function* files(pass: ReadPass): AsyncGenerator<ArchiveFile> {
    const tar = extract();
    const input = Readable.from(source.stream(pass));
    // If the input fails, the archive ends and the loop throws the error.
    pipeline(input, tar, () => undefined);
    try {
      for await (const entry of tar) {
        const { name, type } = entry.header;
        if (type !== 'directory') {
          yield {
            path: name,
            source: createReplaySource(bytesOf(entry as unknown as AsyncIterable<Uint8Array>, fileName)),
            problem: problemOf(entry.header),
          };
        }
        entry.resume();
      }
    } catch (error) {
      throw toFileError(error, fileName);
    } finally {
      input.destroy();
      tar.destroy();
    }
  }

  return openArchive('tar', files, context);
}

async function* bytesOf(entry: AsyncIterable<Uint8Array>, fileName: string): AsyncGenerator<Uint8Array> {
  try {
    yield* entry;
  } catch (error) {
    throw toFileError(error, fileName);
  }
}

const problemOf = ({ type }: Header): string | undefined =>
  type === 'file' || type === 'contiguous-file'
    ? undefined
    : `it is a ${type}, which is not followed. Put the file itself into the archive.`;

/** Converts the library's own errors, which are the ones without a code. */
function toFileError(error: unknown, fileName: string): unknown {
  if (error instanceof FileParseError || !(error instanceof Error) || 'code' in error) return error;
  return new FileParseError(
    fileName,
    0,
    `the tar archive is damaged or cut off (${error.message}). Send the file again.`,
  );
}
