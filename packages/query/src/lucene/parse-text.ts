import {
  acceptText,
  acceptPattern,
  createParseError,
  isAtEnd,
  luceneLimits,
  peekCharacter,
  takeCharacter,
  type Cursor,
} from './cursor.ts';
import type { PatternPart } from './lucene-node.ts';

/** The characters that a word may start with, and those that may follow. Escapes and wildcards are also allowed. */
const wordStart = /[^\s+\-!():^[\]"{}~*?\\/]/u;
const wordRest = /[^\s!():^[\]"{}~*?\\]/u;

/** Parses an escape: a backslash and a character, or `\uXXXX`. */
function parseEscape(cursor: Cursor): string {
  const start = cursor.at;
  cursor.at++;
  if (isAtEnd(cursor))
    throw createParseError(cursor, 'expected a character after the backslash. For a backslash, write \\\\.');
  if (!acceptText(cursor, 'u')) return takeCharacter(cursor);
  const digits = acceptPattern(cursor, /[\da-f]{4}/iy);
  if (digits === '') throw createParseError(cursor, 'expected \\u and four hexadecimal digits.', start);
  return String.fromCharCode(Number.parseInt(digits, 16));
}

const checkLength = (cursor: Cursor, start: number): void => {
  if (cursor.at - start > luceneLimits.term) {
    throw createParseError(
      cursor,
      `expected a term of at most ${String(luceneLimits.term)} characters.`,
      start,
    );
  }
};

/** Parses a word with its wildcards. Returns an empty list if no word starts here. Adjacent texts become one part. */
export function parseWord(cursor: Cursor): PatternPart[] {
  const start = cursor.at;
  const parts: PatternPart[] = [];
  let text = '';
  const flush = (): void => {
    if (text !== '') parts.push({ text: text.toWellFormed() });
    text = '';
  };
  while (!isAtEnd(cursor)) {
    const next = peekCharacter(cursor);
    if (next === '\\') text += parseEscape(cursor);
    else if (next === '*' || next === '?') {
      flush();
      parts.push(next === '*' ? { any: true } : { one: true });
      cursor.at++;
    } else if ((cursor.at === start ? wordStart : wordRest).test(next)) text += takeCharacter(cursor);
    else break;
  }
  flush();
  checkLength(cursor, start);
  return parts;
}

/** Parses text in double quotes. The cursor is at the opening quote. */
export function parseQuotedText(cursor: Cursor): string {
  const start = cursor.at;
  cursor.at++;
  let text = '';
  while (!acceptText(cursor, '"')) {
    if (isAtEnd(cursor)) throw createParseError(cursor, 'expected a closing " for this one.', start);
    text += peekCharacter(cursor) === '\\' ? parseEscape(cursor) : takeCharacter(cursor);
  }
  checkLength(cursor, start);
  return text.toWellFormed();
}

/** Parses an unquoted bound up to a character that matches `end`. `isOpen` means that the bound is an unescaped `*`. */
export function parseBound(cursor: Cursor, end: RegExp): { text: string; isOpen: boolean } {
  const start = cursor.at;
  let text = '';
  while (!isAtEnd(cursor) && !end.test(peekCharacter(cursor))) {
    text += peekCharacter(cursor) === '\\' ? parseEscape(cursor) : takeCharacter(cursor);
  }
  checkLength(cursor, start);
  return { text: text.toWellFormed(), isOpen: cursor.text.slice(start, cursor.at) === '*' };
}
