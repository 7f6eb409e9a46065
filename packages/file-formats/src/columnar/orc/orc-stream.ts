import type { RandomAccess } from '../../sources/seekable-source.ts';
import { DamagedFile } from '../damaged-file.ts';
import { decompressUpTo, type BlockCompression } from '../decompress.ts';

/** How the parts of a file are compressed: in chunks of up to `chunkBytes` bytes. */
export interface OrcCompression {
  readonly kind: BlockCompression | undefined;
  readonly chunkBytes: number;
}

/** The position of a stream in the file. */
export interface OrcRange {
  readonly offset: number;
  readonly length: number;
}

/** The bytes that one read takes from an uncompressed stream. */
const plainBytes = 256 * 1024;

/** Reads a stream from its beginning, with one chunk in memory at a time. */
export class OrcStream {
  readonly #file: RandomAccess;
  readonly #compression: OrcCompression;
  readonly #end: number;
  #next: number;
  #chunk: Uint8Array = new Uint8Array(0);
  #at = 0;

  constructor(file: RandomAccess, { offset, length }: OrcRange, compression: OrcCompression) {
    this.#file = file;
    this.#compression = compression;
    this.#next = offset;
    this.#end = offset + length;
    if (!(offset >= 0 && length >= 0 && this.#end <= file.size)) {
      throw new DamagedFile('a stream is outside of the file');
    }
  }

  get isAtEnd(): boolean {
    while (this.#at >= this.#chunk.length) {
      if (this.#next >= this.#end) return true;
      this.#readChunk();
    }
    return false;
  }

  byte(): number {
    if (this.#at < this.#chunk.length) return this.#chunk[this.#at++] ?? 0;
    if (this.isAtEnd) throw new DamagedFile('a column has fewer values than rows');
    return this.#chunk[this.#at++] ?? 0;
  }

  bytes(length: number): Uint8Array {
    const known = this.#chunk.subarray(this.#at, this.#at + length);
    if (known.length === length) {
      this.#at += length;
      return known;
    }
    // The declared size may be wrong, so memory is allocated only for bytes that exist.
    const parts: Uint8Array[] = [];
    let left = length;
    while (left > 0) {
      if (this.isAtEnd) throw new DamagedFile('a column has fewer values than rows');
      const part = this.#chunk.subarray(this.#at, this.#at + left);
      this.#at += part.length;
      left -= part.length;
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  /** All remaining bytes. */
  rest(): Uint8Array {
    const parts: Uint8Array[] = [];
    while (!this.isAtEnd) {
      parts.push(this.#chunk.subarray(this.#at));
      this.#at = this.#chunk.length;
    }
    return Buffer.concat(parts);
  }

  #readChunk(): void {
    const { kind, chunkBytes } = this.#compression;
    this.#at = 0;
    if (kind === undefined) {
      this.#chunk = this.#read(Math.min(plainBytes, this.#end - this.#next));
      return;
    }
    const [low = 0, middle = 0, high = 0] = this.#read(3);
    const header = low | (middle << 8) | (high << 16);
    const bytes = this.#read(header >> 1);
    if (bytes.length > chunkBytes) throw new DamagedFile('a chunk is larger than it may be');
    this.#chunk = (header & 1) === 1 ? bytes : decompressUpTo(kind, bytes, chunkBytes);
  }

  #read(length: number): Uint8Array {
    const bytes = this.#file.readAt(this.#next, length);
    if (bytes.length < length || this.#next + length > this.#end)
      throw new DamagedFile('a stream is cut off');
    this.#next += length;
    return bytes;
  }
}
