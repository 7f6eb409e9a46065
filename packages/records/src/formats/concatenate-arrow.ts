import type { PageConcatenation } from './page-concatenation.ts';

/** The end of a stream: a message of length 0. See "Encapsulated message format" in the Arrow columnar format. */
const endOfStream = Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);

/** The bytes before the metadata of a message: the continuation marker and the length of the metadata. */
const prefixBytes = 8;

/** Concatenates streams with the same schema: the schema once, then the batches of all streams. */
export function concatenateArrow(): PageConcatenation {
  let isFirst = true;
  return {
    add(page) {
      const bytes = Buffer.from(page.buffer, page.byteOffset, page.byteLength);
      if (bytes.readUInt32LE(0) !== 0xffffffff)
        throw new Error('The engine must return a stream of Arrow messages, got other bytes.');
      const hasEnd = bytes.subarray(-endOfStream.length).equals(endOfStream);
      const end = hasEnd ? bytes.length - endOfStream.length : bytes.length;
      const start = isFirst ? 0 : prefixBytes + bytes.readInt32LE(4);
      isFirst = false;
      return bytes.subarray(start, end);
    },
    end: () => endOfStream,
  };
}
