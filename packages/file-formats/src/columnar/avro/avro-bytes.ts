import { DamagedFile } from '../damaged-file.ts';

/** Reads the binary encoding of Avro. @throws DamagedFile at the end of the bytes */
export class AvroBytes {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get offset(): number {
    return this.#offset;
  }

  get isAtEnd(): boolean {
    return this.#offset === this.#bytes.length;
  }

  byte(): number {
    const byte = this.#bytes[this.#offset++];
    if (byte === undefined) throw new DamagedFile('a value is cut off');
    return byte;
  }

  /** Reads an integer of up to 64 bits; returns a bigint only if a number cannot hold it exactly. */
  long(): bigint | number {
    let value = 0;
    let factor = 1;
    const start = this.#offset;
    for (let index = 0; index < 7; index++) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
      factor *= 128;
    }
    this.#offset = start;
    return this.#wideLong();
  }

  #wideLong(): bigint {
    let value = 0n;
    for (let index = 0n; index < 10n; index++) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << (7n * index);
      if (byte < 0x80) return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
    }
    throw new DamagedFile('an integer has more than ten bytes');
  }

  int(): number {
    const value = this.long();
    if (typeof value === 'number' && value >= -0x8000_0000 && value <= 0x7fff_ffff) return value;
    throw new DamagedFile('an integer has more than 32 bits');
  }

  /** A count or a size. */
  count(): number {
    const value = this.long();
    if (typeof value === 'number') return value;
    throw new DamagedFile(`a part says that it has ${String(value)} values`);
  }

  float(): number {
    this.#require(4);
    this.#offset += 4;
    return this.#view.getFloat32(this.#offset - 4, true);
  }

  double(): number {
    this.#require(8);
    this.#offset += 8;
    return this.#view.getFloat64(this.#offset - 8, true);
  }

  fixed(length: number): Uint8Array {
    this.#require(length);
    this.#offset += length;
    return this.#bytes.subarray(this.#offset - length, this.#offset);
  }

  bytes(): Uint8Array {
    return this.fixed(this.count());
  }

  #require(length: number): void {
    if (length < 0 || this.#offset + length > this.#bytes.length) throw new DamagedFile('a value is cut off');
  }
}
