import { pipeline, Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { FileParseError } from '../file-parse-error.ts';
import type { DataSource } from './data-source.ts';
import { cutZstdFrames } from './zstd-frames.ts';

export type Compression = 'gzip' | 'zstd';

const chunkSize = 256 * 1024;

/** The bytes of a compressed file after decompression. */
export function createDecompressedSource(
  source: DataSource,
  compression: Compression,
  fileName: string,
): DataSource {
  return {
    size: undefined,
    isSeekable: false,
    async *stream(pass) {
      const engine =
        compression === 'gzip' ? createGunzip({ chunkSize }) : createZstdDecompress({ chunkSize });
      const bytes = source.stream(pass);
      const input = Readable.from(compression === 'zstd' ? cutZstdFrames(bytes) : bytes);
      // If the input fails, the decompressor ends and the loop throws the error.
      pipeline(input, engine, () => undefined);
      try {
        for await (const chunk of engine as AsyncIterable<Buffer>) {
          pass.addOutput(chunk.length);
          yield chunk;
        }
      } catch (error) {
        throw toFileError(error, compression, fileName);
      } finally {
        input.destroy();
        engine.destroy();
      }
    },
  };
}

function toFileError(error: unknown, compression: Compression, fileName: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof FileParseError || !/^(Z_|ZSTD_|ERR_ZSTD|ERR_ZLIB)/.test(code)) return error;
  return new FileParseError(
    fileName,
    0,
    `its ${compression} data is damaged or cut off (${error instanceof Error ? error.message : code}). Send the file again.`,
  );
}
