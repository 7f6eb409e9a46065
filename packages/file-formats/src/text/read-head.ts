import type { ByteSource } from '../file-format.ts';

/** The first bytes of a source, and whether they are all of it. */
export async function readHead(source: ByteSource, max: number): Promise<{ head: Buffer; isWhole: boolean }> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of source.stream()) {
    parts.push(part);
    length += part.length;
    if (length > max) break;
  }
  return { head: Buffer.concat(parts, Math.min(length, max)), isWhole: length <= max };
}
