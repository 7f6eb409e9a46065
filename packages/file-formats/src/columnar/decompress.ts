import { snappyUncompress } from 'hyparquet';
import { brotliDecompressSync, gunzipSync, inflateRawSync, zstdDecompressSync } from 'node:zlib';
import { DamagedFile } from './damaged-file.ts';
import { decompressLz4 } from './lz4.ts';

export type BlockCompression = 'brotli' | 'deflate' | 'gzip' | 'lz4' | 'snappy' | 'zstd';

/** The maximum bytes of one block after decompression. */
export const maxBlockBytes = 256_000_000;

/** Decompresses a block whose decompressed size is known. @throws Error when it has another size */
export function decompressBlock(compression: BlockCompression, input: Uint8Array, size: number): Uint8Array {
  if (!(size >= 0 && size <= maxBlockBytes)) {
    throw new DamagedFile(`a part of it has ${String(size)} bytes, the limit is ${String(maxBlockBytes)}`);
  }
  if (size === 0) return new Uint8Array(0);
  const output = decompressUpTo(compression, input, size);
  if (output.length !== size) {
    throw new DamagedFile(`a part of it has ${String(output.length)} bytes and says ${String(size)}`);
  }
  return output;
}

/** Decompresses a block that may have up to `max` bytes after decompression. */
export function decompressUpTo(compression: BlockCompression, input: Uint8Array, max: number): Uint8Array {
  const options = { maxOutputLength: Math.max(1, max) };
  switch (compression) {
    case 'brotli':
      return brotliDecompressSync(input, options);
    case 'deflate':
      return inflateRawSync(input, options);
    case 'gzip':
      return gunzipSync(input, options);
    case 'zstd':
      return zstdDecompressSync(input, options);
    case 'lz4': {
      const output = new Uint8Array(max);
      return output.subarray(0, decompressLz4(input, output));
    }
    case 'snappy': {
      const size = snappySize(input);
      if (size > max)
        throw new DamagedFile(`a part of it has ${String(size)} bytes, the limit is ${String(max)}`);
      const output = new Uint8Array(size);
      snappyUncompress(input, output);
      return output;
    }
  }
}

/** The size that a Snappy block declares. */
function snappySize(input: Uint8Array): number {
  let size = 0;
  for (let index = 0; index < 5; index++) {
    const byte = input[index];
    if (byte === undefined) break;
    size += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 128) return size;
  }
  throw new DamagedFile('a Snappy block has no size');
}
