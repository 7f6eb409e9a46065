import { freeMemory } from './free-memory.ts';

/** Rows as consecutive bytes; row `n` is the bytes from `ends[n - 1]` (or 0) to before `ends[n]`. */
export interface RowBuffer {
  bytes: Buffer;
  ends: number[];
}

const firstSize = 1 << 12;
/** The maximum number of UTF-8 bytes for one UTF-16 code unit. */
const widestUnit = 3;
/** The maximum length of a short row, in UTF-16 code units. */
const shortRow = 1 << 16;

/** Collects rows, each given as an array of strings, in one growing buffer. */
export function createRowBuffer(): { add: (pieces: readonly string[]) => void; take: () => RowBuffer } {
  let bytes = Buffer.alloc(0);
  let length = 0;
  const ends: number[] = [];

  function write(text: string): void {
    const room = length + text.length * widestUnit;
    if (room > bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(room, bytes.length * 2, firstSize));
      bytes.copy(larger, 0, 0, length);
      freeMemory(bytes.buffer);
      bytes = larger;
    }
    length += bytes.write(text, length, 'utf8');
  }

  return {
    add(pieces) {
      const units = pieces.reduce((sum, piece) => sum + piece.length, 0);
      // For a short row one write is faster; a long row may exceed the maximum length of a string.
      if (units < shortRow) write(pieces.join(''));
      else for (const piece of pieces) write(piece);
      ends.push(length);
    },
    take: () => ({ bytes: bytes.subarray(0, length), ends }),
  };
}

/**
 * Adds a prefix to each row, for the columns that are known last.
 * @param prefixOf the index into `prefixes` for each row
 */
export function withPrefixes(
  rows: RowBuffer,
  prefixOf: (row: number) => number,
  prefixes: readonly string[],
): Buffer {
  const bytes = prefixes.map((prefix) => Buffer.from(prefix));
  const widest = Math.max(0, ...bytes.map((prefix) => prefix.length));
  const out = Buffer.allocUnsafeSlow(rows.bytes.length + widest * rows.ends.length);
  let at = 0;
  let from = 0;
  for (const [row, end] of rows.ends.entries()) {
    const prefix = bytes[prefixOf(row)];
    if (prefix === undefined) throw new Error(`Row ${String(row)} has no label.`);
    at += prefix.copy(out, at);
    at += rows.bytes.copy(out, at, from, end);
    from = end;
  }
  return out.subarray(0, at);
}
