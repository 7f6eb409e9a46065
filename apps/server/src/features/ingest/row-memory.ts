import { freeMemory } from '@redoubt/records';

const chunkBytes = 1_000_000;

/** Memory for the rows of a block. */
export interface RowMemory {
  copy(json: Buffer): Buffer;
  /** Frees all copies. */
  free(): void;
}

/** Keeps rows in few large buffers: many small ones would stay until a full garbage collection. */
export const createRowMemory = (): RowMemory => {
  const chunks: Buffer[] = [];
  let used = 0;
  return {
    copy: (json) => {
      let chunk = chunks.at(-1);
      if (chunk === undefined || used + json.length > chunk.length) {
        chunk = Buffer.allocUnsafeSlow(Math.max(chunkBytes, json.length));
        chunks.push(chunk);
        used = 0;
      }
      const from = used;
      used += json.copy(chunk, from);
      return chunk.subarray(from, used);
    },
    free: () => {
      for (const { buffer } of chunks) freeMemory(buffer);
    },
  };
};
