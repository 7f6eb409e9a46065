/**
 * Cuts zstd data at the end of each frame, because the decompressor of Node.js 24 drops the data that follows a frame
 * in the same chunk. The frame format is that of RFC 8878.
 */
export async function* cutZstdFrames(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const tracker = createFrameTracker();
  for await (const chunk of bytes) {
    for (let from = 0; from < chunk.length;) {
      const end = tracker.findEnd(chunk, from);
      yield chunk.subarray(from, end);
      from = end;
    }
  }
}

/** The parts of a frame, in their order. */
type Part = 'magic' | 'descriptor' | 'fields' | 'blockHeader' | 'block' | 'checksum' | 'skipSize' | 'skipped';

const frameMagic = 0xfd2fb528;
const skippableMagic = 0x184d2a50;
/** The sizes of header fields, by two bits of the descriptor. */
const dictionaryBytes = [0, 1, 2, 4];
const contentSizeBytes = [0, 2, 4, 8];

function createFrameTracker(): { findEnd(chunk: Uint8Array, from: number): number } {
  let part: Part = 'magic';
  /** The remaining bytes of the part. */
  let left = 4;
  /** The number that the bytes of the part make, little-endian. */
  let value = 0;
  let shift = 1;
  let hasChecksum = false;
  let isLastBlock = false;

  function enter(next: Part, length: number): boolean {
    part = next;
    left = length;
    value = 0;
    shift = 1;
    return length === 0 ? finishPart() : false;
  }

  const endFrame = (): true => {
    enter('magic', 4);
    return true;
  };

  /** Goes to the next part; returns whether the frame has ended. */
  function finishPart(): boolean {
    switch (part) {
      case 'magic':
        if (value === frameMagic) return enter('descriptor', 1);
        // Anything that is not a frame goes to the decompressor, which reports the error.
        return value >= skippableMagic && value < skippableMagic + 16
          ? enter('skipSize', 4)
          : enter('block', Infinity);
      case 'descriptor': {
        const isSingleSegment = (value & 0x20) !== 0;
        hasChecksum = (value & 4) !== 0;
        const sizeBytes = contentSizeBytes[value >> 6] ?? 0;
        const dictionary = dictionaryBytes[value & 3] ?? 0;
        return enter('fields', (isSingleSegment ? Math.max(sizeBytes, 1) : sizeBytes + 1) + dictionary);
      }
      case 'fields':
        return enter('blockHeader', 3);
      case 'blockHeader': {
        isLastBlock = (value & 1) !== 0;
        const isRepeatedByte = ((value >> 1) & 3) === 1;
        return enter('block', isRepeatedByte ? 1 : value >> 3);
      }
      case 'block':
        if (!isLastBlock) return enter('blockHeader', 3);
        return hasChecksum ? enter('checksum', 4) : endFrame();
      case 'skipSize':
        return enter('skipped', value);
      case 'checksum':
      case 'skipped':
        return endFrame();
    }
  }

  /** Skips bytes of the part; returns the offset after them. */
  function advance(chunk: Uint8Array, from: number): number {
    if (part === 'block' || part === 'skipped' || part === 'fields') {
      const end = Math.min(chunk.length, from + left);
      left -= end - from;
      return end;
    }
    value += (chunk[from] ?? 0) * shift;
    shift *= 256;
    left--;
    return from + 1;
  }

  return {
    findEnd(chunk, from) {
      for (let at = from; at < chunk.length;) {
        at = advance(chunk, at);
        if (left === 0 && finishPart()) return at;
      }
      return chunk.length;
    },
  };
}
