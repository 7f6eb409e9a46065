import { DamagedFile } from '../damaged-file.ts';

/** Numbers of a page in the hybrid encoding of runs and packed bits. */
export interface EncodedNumbers {
  /** The offset of the first run. */
  readonly from: number;
  /** The offset of the end of the runs. */
  readonly end: number;
  /** The bits of each number. */
  readonly width: number;
  /** The maximum number of values. */
  readonly count: number;
}

/**
 * Checks the lengths of runs before they are decoded, because the decoder would not end on a run that is longer than
 * its page.
 * @returns a lower bound of the number of values, at most `count`
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
    // Packed bits are padded to whole groups, but some writers leave out the end of the last group.
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
 * @throws DamagedFile if a run is damaged or there are fewer levels than values
 */
export function checkLevels(bytes: Uint8Array, numbers: EncodedNumbers): void {
  if (numbers.end > bytes.length || checkRuns(bytes, numbers) < numbers.count)
    throw new DamagedFile('a page has fewer levels than values');
}

/** The bits that a level up to this one needs. */
export const levelWidth = (max: number): number => 32 - Math.clz32(max);
