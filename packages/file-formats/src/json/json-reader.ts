import { maxRejectLength } from '../file-limits.ts';
import { createJsonScanner, JsonSyntaxError, type ScannedValue } from './json-scanner.ts';
import { createValueSkipper } from './value-skipper.ts';

/** A value that is a row, or that is too long to be a row. */
export interface FoundValue {
  readonly value: ScannedValue;
  /** The text of the value; only its start if the value is too long. */
  readonly text: string;
  readonly offset: number;
  readonly line: number;
  /** The length of the value if it is too long, otherwise undefined. */
  readonly tooLong: number | undefined;
}

export interface JsonReader {
  /** @throws JsonDocumentError when the rest of the text is not JSON */
  push(text: string): void;
  end(): void;
}

/** Invalid JSON, with its line. */
export class JsonDocumentError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** What the reader expects next. */
type State =
  | 'value'
  | 'firstElement'
  | 'element'
  | 'afterElement'
  | 'firstKey'
  | 'key'
  | 'member'
  | 'afterMember';

export interface JsonReaderOptions {
  readonly maxLength: number;
  /** The top-level key whose presence is reported for each value. */
  readonly wantedKey: string;
  /** If set, top-level objects are not rows. The rows are the elements of their list with this key. */
  readonly listKey: string | undefined;
  readonly onValue: (found: FoundValue) => void;
}

/**
 * Reads a document from chunks of text. The rows are the elements of a list, several values one after another, or the
 * elements of a list inside an object (see `listKey`). It keeps one row in memory.
 */
export function createJsonReader({ maxLength, wantedKey, listKey, onValue }: JsonReaderOptions): JsonReader {
  const scanner = createJsonScanner(wantedKey);
  const skipper = createValueSkipper();
  let buffer = '';
  /** The characters of the file before the buffer. */
  let base = 0;
  let at = 0;
  /** The line of `countedTo`. */
  let line = 1;
  let countedTo = 0;
  let state: State = 'value';
  let isInList = false;
  let isListNext = false;
  let isLast = false;
  /** The buffer length at which reading is tried again, so that a long value is not read once for each chunk. */
  let wanted = 0;
  let skipped: { text: string; line: number; offset: number; isRow: boolean } | undefined;

  function lineAt(offset: number): number {
    for (
      let end = buffer.indexOf('\n', countedTo);
      end >= 0 && end < offset;
      end = buffer.indexOf('\n', end + 1)
    ) {
      line++;
    }
    countedTo = Math.max(countedTo, offset);
    return line;
  }

  function fail(offset: number, message: string): never {
    throw new JsonDocumentError(lineAt(offset), message);
  }

  /** Skips white space; returns false at the end of the buffer. */
  function skipSpace(): boolean {
    for (; at < buffer.length; at++) {
      const code = buffer.charCodeAt(at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9 && code !== 30) return true;
    }
    return false;
  }

  function scan(): boolean {
    try {
      return scanner.scan(buffer, at, isLast);
    } catch (error) {
      if (error instanceof JsonSyntaxError) fail(error.at, `invalid JSON: ${error.message}`);
      throw error;
    }
  }

  /** Reads a value, whether it is a row or not; returns false if it is not complete yet. */
  function readValue(isRow: boolean, next: State): boolean {
    if (!scan()) return false;
    const { value } = scanner;
    if (isRow) {
      onValue({
        value,
        text: buffer.slice(at, value.end),
        line: lineAt(at),
        offset: base + at,
        tooLong: undefined,
      });
    }
    at = value.end;
    state = next;
    return true;
  }

  function expect(expected: string): never {
    const found = String.fromCodePoint(buffer.codePointAt(at) ?? 0).toWellFormed();
    fail(at, `invalid JSON: expected ${expected}, found ${JSON.stringify(found)}.`);
  }

  function enter(next: State): true {
    at++;
    state = next;
    return true;
  }

  function leaveList(): true {
    isInList = false;
    return enter(listKey === undefined ? 'value' : 'afterMember');
  }

  function readKey(): boolean {
    if (buffer.charCodeAt(at) !== 0x22) expect('a key in quotes');
    if (!scan()) return false;
    const { end } = scanner.value;
    const from = at;
    at = end;
    const isComplete = skipSpace();
    const colon = at;
    at = from;
    if (!isComplete) return false;
    if (buffer.charAt(colon) !== ':') {
      at = colon;
      expect('":" after a key');
    }
    isListNext = JSON.parse(buffer.slice(at, end)) === listKey;
    at = colon + 1;
    state = 'member';
    return true;
  }

  /** Takes one step; returns false if the buffer does not contain enough text. */
  function step(): boolean {
    if (!skipSpace()) return false;
    const character = buffer.charAt(at);
    switch (state) {
      case 'value':
        if (character === '[' && listKey === undefined) {
          isInList = true;
          return enter('firstElement');
        }
        return character === '{' && listKey !== undefined ? enter('firstKey') : readValue(true, 'value');
      case 'firstElement':
        return character === ']' ? leaveList() : readValue(true, 'afterElement');
      case 'element':
        return readValue(true, 'afterElement');
      case 'afterElement':
        if (character === ']') return leaveList();
        return character === ',' ? enter('element') : expect('"," or "]" after an element of the list');
      case 'firstKey':
        return character === '}' ? enter('value') : readKey();
      case 'key':
        return readKey();
      case 'member':
        if (isListNext && character === '[') {
          isInList = true;
          return enter('firstElement');
        }
        return readValue(false, 'afterMember');
      case 'afterMember':
        if (character === '}') return enter('value');
        return character === ',' ? enter('key') : expect('"," or "}" after a value');
    }
  }

  function readAll(): void {
    for (;;) {
      while (step());
      lineAt(at);
      buffer = buffer.slice(at);
      base += at;
      countedTo = 0;
      at = 0;
      wanted = buffer.length * 2;
      if (buffer.length <= maxLength || !skipSpace() || !startSkipping()) return;
    }
  }

  /** Skips a value that is too long; returns whether its end is in the buffer. */
  function startSkipping(): boolean {
    const isRow = state !== 'member' && state !== 'key' && state !== 'firstKey';
    skipped = {
      text: buffer.slice(at, at + maxRejectLength),
      line: lineAt(at),
      offset: base + at,
      isRow,
    };
    if (!isRow && state !== 'member') fail(at, `a key is longer than ${String(maxLength)} characters.`);
    skipper.start();
    const all = buffer.slice(at);
    base += at;
    return skip(all);
  }

  function skip(text: string): boolean {
    const end = skipper.find(text);
    buffer = text.slice(0, end ?? text.length);
    countedTo = 0;
    at = 0;
    lineAt(buffer.length);
    base += buffer.length;
    buffer = end === undefined ? '' : text.slice(end);
    countedTo = 0;
    if (end === undefined || skipped === undefined) return false;
    const { isRow, ...place } = skipped;
    skipped = undefined;
    wanted = 0;
    if (isRow) onValue({ ...place, value: scanner.value, tooLong: base - place.offset });
    if (state === 'member') state = 'afterMember';
    else if (isInList) state = 'afterElement';
    return true;
  }

  return {
    push(text) {
      if (skipped === undefined) buffer += text;
      else if (!skip(text)) return;
      if (buffer.length >= wanted) readAll();
    },
    end() {
      isLast = true;
      if (skipped === undefined) readAll();
      if (skipped !== undefined || state !== 'value') {
        fail(
          buffer.length,
          'the JSON ends before all of its lists and objects are closed. The file may be cut off.',
        );
      }
    },
  };
}
