/**
 * Frees the memory of a buffer at once; the buffer is empty afterwards. Without it, large buffers wait for a full
 * garbage collection, and a steady stream of writes keeps hundreds of megabytes of them.
 * Small buffers may share the pool of Node.js with others, so they are left alone.
 * @param memory must not be shared with a buffer that is still used: `Buffer.allocUnsafeSlow` never shares it
 */
export const freeMemory = (memory: ArrayBufferLike): void => {
  if (memory instanceof ArrayBuffer && memory.byteLength > Buffer.poolSize) memory.transfer(0);
};
