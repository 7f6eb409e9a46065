import type { DataSource } from './data-source.ts';
import type { ReadPass } from './read-pass.ts';

/** The first bytes of a source, and whether they are all of it. */
export async function readHead(
  source: DataSource,
  pass: ReadPass,
  max: number,
): Promise<{ head: Buffer; isWhole: boolean }> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of source.stream(pass)) {
    parts.push(part);
    length += part.length;
    if (length > max) break;
  }
  return { head: Buffer.concat(parts, Math.min(length, max)), isWhole: length <= max };
}
