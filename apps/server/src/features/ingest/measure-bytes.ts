import { createHash } from 'node:crypto';

export interface MeasuredBytes {
  /** The same chunks; they can be read once. */
  chunks: AsyncIterable<Uint8Array>;
  /** The size and hash of what has been read so far; of the whole source once `chunks` has ended. */
  measured(): { size: number; sha256: string };
}

/**
 * Counts and hashes bytes while they are read.
 * @param onChunk called before each chunk is passed on; an error ends the chunks
 */
export const measureBytes = (
  source: AsyncIterable<Uint8Array>,
  onChunk: (length: number, size: number) => void,
): MeasuredBytes => {
  const hash = createHash('sha256');
  let size = 0;
  const read = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      size += chunk.length;
      onChunk(chunk.length, size);
      hash.update(chunk);
      yield chunk;
    }
  };
  return { chunks: read(), measured: () => ({ size, sha256: hash.copy().digest('hex') }) };
};
