import { DamagedFile } from '../damaged-file.ts';

/** Numbers in the encoding of runs and packed bits, inside of a page. */
export interface EncodedNumbers {
  /** Where the first run begins. */
  readonly from: number;
  /** Where the runs end. */
  readonly end: number;
  /** Bits of each number. */
  readonly width: number;
  /** The most that there can be. */
  readonly count: number;
}

/**
 * Checks the lengths of runs before they are decoded: one that is longer than its page would keep the decoder busy without
 * end.
 * @returns how many numbers there are, at least, up to the most that there can be
 * @throws DamagedFile
 */
export function checkRuns(bytes: Uint8Array, { from, end, width, count }: EncodedNumbers): number {
  let at = from;
  let seen = 0;
  while (seen < count && at < end) {
    let header = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined || shift > 28) throw new DamagedFile('the length of a run is cut off');
      header += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    const isPacked = header % 2 === 1;
    const length = Math.floor(header / 2) * (isPacked ? 8 : 1);
    // Packed bits are filled up to whole groups, and some writers leave the end of the last group out.
    const size = isPacked ? Math.ceil((length * width) / 8) : Math.ceil(width / 8);
    if (length > count - seen && (!isPacked || size > end - at + width)) {
      throw new DamagedFile(`a run has ${String(length)} values, which is more than its page`);
    }
    at += size;
    seen += length;
  }
  return Math.min(seen, count);
}

/**
 * Checks the runs of the levels of a page.
 * @throws DamagedFile also when there are fewer levels than values
 */
export function checkLevels(bytes: Uint8Array, numbers: EncodedNumbers): void {
  if (numbers.end > bytes.length || checkRuns(bytes, numbers) < numbers.count)
    throw new DamagedFile('a page has fewer levels than values');
}

/** Bits of a level up to this one. */
export const levelWidth = (max: number): number => 32 - Math.clz32(max);
