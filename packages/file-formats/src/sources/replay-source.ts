import type { DataSource } from './data-source.ts';

/**
 * Creates a source for bytes that arrive only once. Passes before the final one read its beginning, which is kept for
 * the later passes.
 */
export function createReplaySource(bytes: AsyncIterable<Uint8Array>): DataSource {
  const iterator = bytes[Symbol.asyncIterator]();
  const kept: Uint8Array[] = [];

  return {
    size: undefined,
    isSeekable: false,
    async *stream({ isFinal }) {
      for (let index = 0; ; index++) {
        let chunk = kept[index];
        if (chunk === undefined) {
          const next = await iterator.next();
          if (next.done === true) return;
          chunk = Buffer.from(next.value);
          kept.push(chunk);
        }
        if (isFinal) kept[index] = noBytes;
        yield chunk;
      }
    },
  };
}

const noBytes = new Uint8Array(0);
