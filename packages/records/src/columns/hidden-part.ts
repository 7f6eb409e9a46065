import { skipString, skipValue, type ByteCursor } from './byte-cursor.ts';
import { findKey, placeOf, type Place } from './hidden-places.ts';

const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
/** Stands in lists for what holds nothing hidden, so that the other items keep their places. */
const placeholder = 0x30;

/**
 * Reads out of a stored record what is hidden in it: a record of the hidden members alone, inside the objects and lists
 * that hold them. Undefined where it holds none.
 */
export type ReadHiddenPart = (record: Buffer) => string | undefined;

/**
 * Reads in one pass. The result is never longer than the record, so the visible part, however large, is held only once.
 * @param hidden paths, none of them inside another
 */
export function createHiddenPartReader(hidden: readonly string[]): ReadHiddenPart {
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

  /** Whether something hidden is in the value at the cursor. If so it was written, if not only stepped over. */
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
