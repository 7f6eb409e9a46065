import type { SortedPaths } from '@redoubt/labels';
import { skipString, skipValue, type ByteCursor } from './byte-cursor.ts';
import { findKey, placeOf, type Place } from './hidden-places.ts';

const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
/** Replaces array items without hidden values, so that the other items keep their positions. */
const placeholder = 0x30;

/**
 * Extracts the hidden part of a stored record: the hidden members, inside the objects and arrays that contain them.
 * Returns undefined if nothing in the record is hidden.
 */
export type ReadHiddenPart = (record: Buffer) => string | undefined;

/**
 * Creates a reader that needs one pass. Its result is never longer than the record, so a large visible part is not
 * copied.
 * @param hidden the hidden paths, none of them inside another
 */
export function createHiddenPartReader(hidden: SortedPaths): ReadHiddenPart {
  const root = placeOf(hidden);
  const cursor: ByteCursor = { bytes: Buffer.alloc(0), at: 0, hasEscapes: false };
  let out: Buffer = Buffer.alloc(0);
  let length = 0;

  const put = (byte: number): void => {
    out[length++] = byte;
  };
  const copy = (from: number, to: number): void => {
    length += cursor.bytes.copy(out, length, from, to);
  };

  /**
   * Writes the hidden part of the value at the cursor. Returns false, and writes nothing, if nothing in it is hidden.
   */
  function readValue(place: Place): boolean {
    const start = length;
    const byte = cursor.bytes[cursor.at];
    let holds = false;
    if (byte === openBrace) holds = readObject(place);
    else if (byte === openBracket) holds = readList(place);
    else skipValue(cursor);
    if (!holds) length = start;
    return holds;
  }

  function readList(place: Place): boolean {
    const { bytes } = cursor;
    let holds = false;
    put(openBracket);
    cursor.at++;
    while (bytes[cursor.at] !== closeBracket) {
      if (readValue(place)) holds = true;
      else put(placeholder);
      if (bytes[cursor.at] === comma) {
        put(comma);
        cursor.at++;
      }
    }
    put(closeBracket);
    cursor.at++;
    return holds;
  }

  function readObject(place: Place): boolean {
    const { bytes } = cursor;
    let holds = false;
    put(openBrace);
    cursor.at++;
    while (bytes[cursor.at] !== closeBrace) {
      const before = length;
      const keyFrom = cursor.at;
      if (holds) put(comma);
      skipString(cursor);
      const found = findKey(place, cursor, keyFrom);
      cursor.at++;
      if (found === undefined) skipValue(cursor);
      else if (found === 'hidden') {
        skipValue(cursor);
        copy(keyFrom, cursor.at);
      } else {
        copy(keyFrom, cursor.at);
        if (!readValue(found)) length = before;
      }
      if (found === undefined) length = before;
      if (length > before) holds = true;
      if (bytes[cursor.at] === comma) cursor.at++;
    }
    put(closeBrace);
    cursor.at++;
    return holds;
  }

  return (record) => {
    if (out.length < record.length) out = Buffer.allocUnsafeSlow(record.length);
    cursor.bytes = record;
    cursor.at = 0;
    length = 0;
    const part = readValue(root) ? out.toString('utf8', 0, length) : undefined;
    cursor.bytes = out;
    return part;
  };
}
