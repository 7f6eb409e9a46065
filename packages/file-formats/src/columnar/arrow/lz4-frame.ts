import { DamagedFile } from '../damaged-file.ts';
import { maxBlockBytes } from '../decompress.ts';
import { decompressLz4 } from '../lz4.ts';

/** Sizes of blocks by their code in the header of a frame. */
const blockSizes: Readonly<Record<number, number>> = { 4: 65_536, 5: 262_144, 6: 1_048_576, 7: 4_194_304 };

/** Decompresses an LZ4 frame. Its blocks may refer to earlier blocks. */
export function decompressLz4Frame(input: Uint8Array): Uint8Array {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  if (input.length < 7 || view.getUint32(0, true) !== 0x184d2204)
    throw new DamagedFile('an LZ4 frame has no beginning');
  const flags = view.getUint8(4);
  const blockSize = blockSizes[(view.getUint8(5) >> 4) & 7];
  if (flags >> 6 !== 1 || (flags & 1) !== 0 || blockSize === undefined) {
    throw new DamagedFile('an LZ4 frame is of a version that is not known');
  }
  const hasChecksums = (flags & 0x10) !== 0;
  const hasSize = (flags & 0x08) !== 0;
  let offset = 7 + (hasSize ? 8 : 0);
  let output = new Uint8Array(
    hasSize ? Math.min(Number(view.getBigUint64(6, true)), maxBlockBytes) : blockSize,
  );
  let length = 0;
  for (;;) {
    const word = view.getUint32(offset, true);
    offset += 4;
    if (word === 0) return output.subarray(0, length);
    const size = word & 0x7fff_ffff;
    const block = input.subarray(offset, offset + size);
    if (block.length < size) throw new DamagedFile('an LZ4 frame is cut off');
    offset += size + (hasChecksums ? 4 : 0);
    output = grow(output, length, Math.min(blockSize, maxBlockBytes - length), hasSize);
    if (word >>> 31 === 0) length = decompressLz4(block, output, length);
    else {
      if (length + size > output.length) throw new DamagedFile('an LZ4 frame is longer than it says');
      output.set(block, length);
      length += size;
    }
  }
}

/** Makes room for one more block if the total size is unknown. */
function grow(
  output: Uint8Array<ArrayBuffer>,
  length: number,
  room: number,
  isWhole: boolean,
): Uint8Array<ArrayBuffer> {
  if (isWhole || output.length - length >= room) return output;
  const larger = new Uint8Array(Math.min(maxBlockBytes, Math.max(output.length * 2, length + room)));
  larger.set(output.subarray(0, length));
  return larger;
}
