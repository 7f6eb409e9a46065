import type { SortedPaths } from '@redoubt/labels';
import { skipString, skipValue, type ByteCursor } from './byte-cursor.ts';
import { findKey, placeOf, type Place } from './hidden-places.ts';

const tab = 0x09;
const newline = 0x0a;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** Removes columns from records: the hidden paths with everything inside them, also in arrays of objects. */
export interface ColumnStripper {
  /**
   * Removes the columns from rows in the format TSVRaw whose last column is a record. Overwrites the buffer.
   * @param tabs how many columns come before the record
   */
  rows(rows: Buffer, tabs: number): Buffer;
  /** Removes the columns from one record. */
  record(text: string): string;
}

/** @param hidden the hidden paths, none of them inside another */
export function createColumnStripper(hidden: SortedPaths): ColumnStripper {
  const root = placeOf(hidden);

  const cursor: ByteCursor = { bytes: Buffer.alloc(0), at: 0, hasEscapes: false };
  /** The ranges to remove: start and end positions in ascending order. */
  let cuts: number[] = [];

  function readValue(place: Place): void {
    const byte = cursor.bytes[cursor.at];
    if (byte === openBrace) readObject(place);
    else if (byte === openBracket) readList(place);
    else skipValue(cursor);
  }

  function readList(place: Place): void {
    const { bytes } = cursor;
    cursor.at++;
    while (bytes[cursor.at] !== closeBracket) {
      readValue(place);
      if (bytes[cursor.at] === comma) cursor.at++;
    }
    cursor.at++;
  }

  function readObject(place: Place): void {
    const { bytes } = cursor;
    cursor.at++;
    let keeps = false;
    while (bytes[cursor.at] !== closeBrace) {
      const keyFrom = cursor.at;
      skipString(cursor);
      const found = findKey(place, cursor, keyFrom);
      cursor.at++;
      if (found === undefined || found === 'hidden') skipValue(cursor);
      else readValue(found);
      const { at } = cursor;
      const isLast = bytes[at] !== comma;
      if (found === 'hidden') {
        // Before the first member that stays, remove the comma after the member; later, the comma before it.
        if (keeps) cuts.push(keyFrom - 1, at);
        else cuts.push(keyFrom, isLast ? at : at + 1);
      } else keeps = true;
      if (!isLast) cursor.at++;
    }
    cursor.at++;
  }

  function write(target: number, from: number, to: number): number {
    const { bytes } = cursor;
    let written = target;
    let start = from;
    for (let index = 0; index < cuts.length; index += 2) {
      const end = cuts[index] ?? to;
      bytes.copyWithin(written, start, end);
      written += end - start;
      start = cuts[index + 1] ?? to;
    }
    if (written !== start) bytes.copyWithin(written, start, to);
    return written + to - start;
  }

  return {
    rows(rows, tabs) {
      cursor.bytes = rows;
      let written = 0;
      for (let from = 0; from < rows.length;) {
        cursor.at = from;
        for (let left = tabs; left > 0; left--) cursor.at = rows.indexOf(tab, cursor.at) + 1;
        cuts = [];
        readValue(root);
        if (rows[cursor.at] !== newline) throw new Error('A row must end with its record.');
        const end = cursor.at + 1;
        written = write(written, from, end);
        from = end;
      }
      return rows.subarray(0, written);
    },
    record(text) {
      cursor.bytes = Buffer.from(text);
      cursor.at = 0;
      cuts = [];
      readValue(root);
      if (cuts.length === 0) return text;
      return cursor.bytes.toString('utf8', 0, write(0, 0, cursor.bytes.length));
    },
  };
}
