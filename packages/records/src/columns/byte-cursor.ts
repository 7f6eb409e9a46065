const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** A position in a stored record, which is valid JSON without white space between tokens. */
export interface ByteCursor {
  bytes: Buffer;
  at: number;
  /** Whether the last string contained an escape. */
  hasEscapes: boolean;
}

/** Longer strings are searched with `Buffer.indexOf`, which is fast but has a cost per call. */
const shortString = 48;

/** Skips the string at the cursor, in linear time and without recursion. */
export function skipString(cursor: ByteCursor): void {
  const { bytes } = cursor;
  cursor.hasEscapes = false;
  let at = cursor.at + 1;
  for (const near = at + shortString; at < near; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      cursor.at = at + 1;
      return;
    }
    if (byte === backslash) {
      cursor.hasEscapes = true;
      at++;
    } else if (byte === undefined)
      throw new Error('A stored record must be valid JSON, but it ends inside a string.');
  }
  skipLongString(cursor, at);
}

/** @param from a position in the string that is not part of an escape */
function skipLongString(cursor: ByteCursor, from: number): void {
  const { bytes } = cursor;
  for (let start = from; ;) {
    const end = bytes.indexOf(quote, start);
    if (end === -1) throw new Error('A stored record must be valid JSON, but it ends inside a string.');
    let slashes = 0;
    while (end - slashes > start && bytes[end - slashes - 1] === backslash) slashes++;
    cursor.at = end + 1;
    if (slashes % 2 === 0) break;
    start = end + 1;
  }
  if (cursor.hasEscapes) return;
  const slash = bytes.subarray(from, cursor.at).indexOf(backslash);
  cursor.hasEscapes = slash !== -1;
}

/** Skips the value at the cursor, at any depth of nesting. */
export function skipValue(cursor: ByteCursor): void {
  const { bytes } = cursor;
  let depth = 0;
  do {
    const byte = bytes[cursor.at];
    if (byte === quote) {
      skipString(cursor);
      continue;
    }
    if (byte === openBrace || byte === openBracket) depth++;
    else if (byte === closeBrace || byte === closeBracket) depth--;
    else if (depth === 0) {
      skipScalar(cursor);
      return;
    } else if (byte === undefined)
      throw new Error('A stored record must be valid JSON, but it ends inside a value.');
    cursor.at++;
  } while (depth > 0);
}

function skipScalar(cursor: ByteCursor): void {
  for (;;) {
    const byte = cursor.bytes[cursor.at];
    if (byte === undefined || byte === comma || byte === closeBrace || byte === closeBracket) return;
    cursor.at++;
  }
}
