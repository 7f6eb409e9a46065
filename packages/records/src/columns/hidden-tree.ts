import type { SortedPaths } from '@redoubt/labels';
import { skipString, skipValue, type ByteCursor } from './byte-cursor.ts';
import { findKey, placeOf, type Place } from './hidden-places.ts';

const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** The objects and arrays of a record that contain hidden columns, or may get some. All other values are skipped. */
export type HiddenTree = HiddenObject | HiddenList;

export interface HiddenObject {
  kind: 'object';
  /** The position of the closing bracket. */
  end: number;
  isEmpty: boolean;
  members: HiddenMember[];
}

export interface HiddenList {
  kind: 'list';
  /** Undefined for items that are neither objects nor arrays. */
  items: (HiddenTree | undefined)[];
}

/** A member that is hidden, or whose value may contain hidden members. */
export interface HiddenMember {
  isHidden: boolean;
  key: string;
  /** The source text of the key and the value. */
  keyText: Buffer;
  value: Buffer;
  tree: HiddenTree | undefined;
}

/**
 * Parses a record in one pass.
 * @param hidden the hidden paths, none of them inside another
 */
export function readHiddenTree(record: Buffer, hidden: SortedPaths): HiddenTree | undefined {
  const cursor: ByteCursor = { bytes: record, at: 0, hasEscapes: false };

  function readValue(place: Place): HiddenTree | undefined {
    const byte = record[cursor.at];
    if (byte === openBrace) return readObject(place);
    if (byte === openBracket) return readList(place);
    skipValue(cursor);
    return undefined;
  }

  function readList(place: Place): HiddenList {
    const items: HiddenList['items'] = [];
    cursor.at++;
    while (record[cursor.at] !== closeBracket) {
      items.push(readValue(place));
      if (record[cursor.at] === comma) cursor.at++;
    }
    cursor.at++;
    return { kind: 'list', items };
  }

  function readObject(place: Place): HiddenObject {
    const members: HiddenMember[] = [];
    const start = cursor.at++;
    while (record[cursor.at] !== closeBrace) {
      const keyFrom = cursor.at;
      skipString(cursor);
      const found = findKey(place, cursor, keyFrom);
      const keyTo = cursor.at++;
      if (found === undefined) skipValue(cursor);
      else members.push(readMember(found, record.subarray(keyFrom, keyTo)));
      if (record[cursor.at] === comma) cursor.at++;
    }
    const end = cursor.at++;
    return { kind: 'object', end, isEmpty: end === start + 1, members };
  }

  function readMember(found: Place | 'hidden', keyText: Buffer): HiddenMember {
    const from = cursor.at;
    let tree: HiddenTree | undefined;
    if (found === 'hidden') skipValue(cursor);
    else tree = readValue(found);
    return {
      isHidden: found === 'hidden',
      key: JSON.parse(keyText.toString('utf8')) as string,
      keyText,
      value: record.subarray(from, cursor.at),
      tree,
    };
  }

  return readValue(placeOf(hidden));
}
