/** A position in a JSON text that is parsed by hand, because `JSON.parse` loses number sources and duplicate keys. */
export interface JsonCursor {
  text: string;
  at: number;
  /** The text without white space, up to `rawFrom`. */
  raw: string;
  rawFrom: number;
  /** Whether the last string contained an escape. */
  escaped: boolean;
}

/** Invalid JSON. The message is a predicate about the record: it says what was expected and where. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonFault';
}

export const createJsonCursor = (cursor: JsonCursor, text: string): void => {
  cursor.text = text;
  cursor.at = 0;
  cursor.raw = '';
  cursor.rawFrom = 0;
};

/** The whole text without white space between tokens. */
export const compactText = (cursor: JsonCursor): string =>
  cursor.rawFrom === 0 ? cursor.text : cursor.raw + cursor.text.slice(cursor.rawFrom);

export function fail(cursor: JsonCursor, expected: string): never {
  const { text, at } = cursor;
  const found =
    at >= text.length ? 'the end of the record' : JSON.stringify(text.slice(at, at + 20).toWellFormed());
  throw new JsonSyntaxError(
    `must be valid JSON: at character ${String(at + 1)}, expected ${expected}, got ${found}.`,
  );
}

/** Skips white space, which `raw` omits. */
export function skipSpace(cursor: JsonCursor): void {
  const { text } = cursor;
  if (text.charCodeAt(cursor.at) > 0x20) return;
  const from = cursor.at;
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
    at++;
  }
  if (at === from) return;
  cursor.raw += text.slice(cursor.rawFrom, from);
  cursor.rawFrom = at;
  cursor.at = at;
}

/** Parses the string at the cursor and moves behind it. */
export function readString(cursor: JsonCursor): string {
  const { text } = cursor;
  const from = cursor.at + 1;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      cursor.at = at + 1;
      cursor.escaped = false;
      return text.slice(from, at);
    }
    if (code === 0x5c) return readEscapedString(cursor, at);
    if (code < 0x20) {
      cursor.at = at;
      fail(cursor, 'no control character inside a string (write it as an escape)');
    }
  }
  cursor.at = text.length;
  return fail(cursor, 'the end of a string');
}

function readEscapedString(cursor: JsonCursor, firstEscape: number): string {
  const { text } = cursor;
  const from = cursor.at;
  let at = firstEscape;
  while (at < text.length && text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1;
  try {
    const value = JSON.parse(text.slice(from, at + 1)) as string;
    cursor.at = at + 1;
    cursor.escaped = true;
    return value;
  } catch {
    cursor.at = firstEscape;
    return fail(cursor, 'valid escapes in a string');
  }
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Skips the number at the cursor and returns its source text. */
export function readNumber(cursor: JsonCursor): string {
  const { text } = cursor;
  const from = cursor.at;
  if (text.charCodeAt(cursor.at) === 0x2d) cursor.at++;
  if (text.charCodeAt(cursor.at) === 0x30) cursor.at++;
  else readDigits(cursor);
  if (text.charCodeAt(cursor.at) === 0x2e) {
    cursor.at++;
    readDigits(cursor);
  }
  const exponent = text.charCodeAt(cursor.at);
  if (exponent === 0x65 || exponent === 0x45) {
    cursor.at++;
    const sign = text.charCodeAt(cursor.at);
    if (sign === 0x2b || sign === 0x2d) cursor.at++;
    readDigits(cursor);
  }
  return text.slice(from, cursor.at);
}

function readDigits(cursor: JsonCursor): void {
  const { text } = cursor;
  if (!isDigit(text.charCodeAt(cursor.at))) fail(cursor, 'a digit');
  do cursor.at++;
  while (isDigit(text.charCodeAt(cursor.at)));
}

/** Skips `true`, `false` or `null`, whose first letter is at the cursor. */
export function readWord(cursor: JsonCursor, word: string): void {
  if (!cursor.text.startsWith(word, cursor.at)) fail(cursor, 'a value');
  cursor.at += word.length;
}
