import { DamagedFile } from './damaged-file.ts';

/**
 * Decompresses one LZ4 block.
 * @param output the buffer to write to, from `start` on; matches may refer to bytes before `start`
 * @returns the end of the output
 */
export function decompressLz4(input: Uint8Array, output: Uint8Array, start = 0): number {
  let from = 0;
  let to = start;

  function lengthOf(nibble: number): number {
    let length = nibble;
    if (nibble !== 15) return length;
    for (;;) {
      const byte = input[from++];
      if (byte === undefined) throw new DamagedFile('an LZ4 block is cut off');
      length += byte;
      if (byte !== 255) return length;
    }
  }

  while (from < input.length) {
    const token = input[from++] ?? 0;
    const literals = lengthOf(token >> 4);
    if (from + literals > input.length || to + literals > output.length) {
      throw new DamagedFile('an LZ4 block is longer than it says');
    }
    output.set(input.subarray(from, from + literals), to);
    from += literals;
    to += literals;
    if (from >= input.length) break;
    const distance = (input[from] ?? 0) | ((input[from + 1] ?? 0) << 8);
    from += 2;
    const length = lengthOf(token & 15) + 4;
    if (distance === 0 || distance > to || to + length > output.length) {
      throw new DamagedFile('an LZ4 block points outside of its data');
    }
    if (distance >= length) output.copyWithin(to, to - distance, to - distance + length);
    else for (let index = 0; index < length; index++) output[to + index] = output[to + index - distance] ?? 0;
    to += length;
  }
  return to;
}
