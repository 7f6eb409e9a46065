/** Bytes that are collected from chunks. */
export interface CollectedBytes {
  add(chunk: Buffer): void;
  bytes(): Buffer;
}

/** Chunks below this size are copied into blocks, in bytes. */
const smallBytes = 1024;
const blockBytes = 4096;

/**
 * Collects chunks. A client can send each byte as a chunk of its own, and a list of them would take a hundred times
 * their bytes: so small ones are copied.
 */
export const collectBytes = (): CollectedBytes => {
  const collected: Buffer[] = [];
  let block = Buffer.alloc(0);
  let filled = 0;
  const closeBlock = (): void => {
    if (filled > 0) collected.push(block.subarray(0, filled));
    block = block.subarray(filled);
    filled = 0;
  };
  return {
    add: (chunk) => {
      if (chunk.length >= smallBytes) {
        closeBlock();
        collected.push(chunk);
        return;
      }
      if (filled + chunk.length > block.length) {
        closeBlock();
        block = Buffer.allocUnsafeSlow(blockBytes);
      }
      chunk.copy(block, filled);
      filled += chunk.length;
    },
    bytes: () => {
      closeBlock();
      return collected.length === 1 && collected[0] !== undefined ? collected[0] : Buffer.concat(collected);
    },
  };
};
