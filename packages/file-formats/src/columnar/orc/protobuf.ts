import { DamagedFile } from '../damaged-file.ts';

/**
 * A message of Protocol Buffers. Its fields have numbers; their values are integers, or the bytes of texts and
 * messages.
 */
export class ProtobufMessage {
  readonly #fields = new Map<number, (number | Uint8Array)[]>();

  constructor(bytes: Uint8Array) {
    let offset = 0;

    const varint = (): number => {
      let value = 0;
      let factor = 1;
      for (let index = 0; index < 10; index++) {
        const byte = bytes[offset++];
        if (byte === undefined) throw new DamagedFile('its description is cut off');
        value += (byte & 0x7f) * factor;
        if (byte < 0x80) return value;
        factor *= 128;
      }
      throw new DamagedFile('its description has a number that is too long');
    };

    const take = (length: number): Uint8Array => {
      if (offset + length > bytes.length) throw new DamagedFile('its description is cut off');
      offset += length;
      return bytes.subarray(offset - length, offset);
    };

    while (offset < bytes.length) {
      const key = varint();
      const number = Math.floor(key / 8);
      switch (key % 8) {
        case 0:
          this.#add(number, varint());
          break;
        case 1:
          take(8);
          break;
        case 2:
          this.#add(number, take(varint()));
          break;
        case 5:
          take(4);
          break;
        default:
          throw new DamagedFile('its description has a field of a kind that is not known');
      }
    }
  }

  #add(number: number, value: number | Uint8Array): void {
    const known = this.#fields.get(number);
    if (known === undefined) this.#fields.set(number, [value]);
    else known.push(value);
  }

  number(field: number, missing = 0): number {
    const value = this.#fields.get(field)?.at(-1);
    return typeof value === 'number' ? value : missing;
  }

  /** Repeated numbers. They may be packed into one field. */
  numbers(field: number): number[] {
    return (this.#fields.get(field) ?? []).flatMap((value) => {
      if (typeof value === 'number') return [value];
      return new ProtobufMessage(unpacked(value)).numbers(0);
    });
  }

  texts(field: number): string[] {
    return (this.#fields.get(field) ?? []).map((value) =>
      typeof value === 'number' ? '' : Buffer.from(value).toString('utf8'),
    );
  }

  text(field: number): string | undefined {
    return this.texts(field).at(-1);
  }

  messages(field: number): ProtobufMessage[] {
    return (this.#fields.get(field) ?? []).map(
      (value) => new ProtobufMessage(typeof value === 'number' ? new Uint8Array(0) : value),
    );
  }

  message(field: number): ProtobufMessage {
    return this.messages(field).at(-1) ?? new ProtobufMessage(new Uint8Array(0));
  }
}

/** Packed numbers as fields with the number 0. */
function unpacked(bytes: Uint8Array): Uint8Array {
  const parts: number[] = [];
  let isStart = true;
  for (const byte of bytes) {
    if (isStart) parts.push(0);
    parts.push(byte);
    isStart = byte < 0x80;
  }
  return Uint8Array.from(parts);
}
