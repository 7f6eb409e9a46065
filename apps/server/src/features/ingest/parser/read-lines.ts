import { freeMemory } from '@redoubt/records';

/** Maximum number of bytes of one line from a parser process: a row of maximum size and its position. */
const maxLineBytes = 64_000_000;

/**
 * Splits a stream into lines, without line ends. A line is valid until the next one is read, because then the memory of
 * its chunk is freed.
 *
 * @throws Error if a line is too long or the last one has no end
 */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let from = 0;
    for (;;) {
      const end = buffer.indexOf(0x0a, from);
      if (end === -1) break;
      const rest = buffer.subarray(from, end);
      yield parts.length === 0 ? rest : Buffer.concat([...parts, rest]);
      parts = [];
      size = 0;
      from = end + 1;
    }
    if (from < buffer.length) {
      parts.push(Buffer.from(buffer.subarray(from)));
      size += buffer.length - from;
      if (size > maxLineBytes) throw new Error('A parser process wrote a line that is too long.');
    }
    if (chunk.byteLength === chunk.buffer.byteLength) freeMemory(chunk.buffer);
  }
  if (size > 0) throw new Error('A parser process ended inside a line.');
}
