import type { ByteSource } from '../file-format.ts';
import type { ReadPass } from './read-pass.ts';

/** The bytes of a file, or of a file inside another. */
export interface DataSource {
  /** In bytes, where it is known before reading. */
  readonly size: number | undefined;
  /** Whether reading can begin at any offset. */
  readonly isSeekable: boolean;
  readonly path?: string | undefined;
  stream(pass: ReadPass, from?: number): AsyncIterable<Uint8Array>;
  /** Reads bytes at any offset, without waiting; it returns fewer only at the end. Undefined if the source is not in memory or on this machine. */
  readonly readAt?: ((offset: number, length: number) => Uint8Array) | undefined;
}

export function fromByteSource(source: ByteSource): DataSource {
  return {
    size: source.size,
    isSeekable: true,
    path: source.path,
    readAt: source.readAt?.bind(source),
    async *stream(pass, from = 0) {
      for await (const bytes of source.stream(from)) {
        pass.addInput(bytes.length);
        yield bytes;
      }
    },
  };
}

export const fromBytes = (bytes: Uint8Array): DataSource => ({
  size: bytes.length,
  isSeekable: true,
  async *stream(_pass, from = 0) {
    yield bytes.subarray(from);
  },
  readAt: (offset, length) => bytes.subarray(offset, offset + length),
});
