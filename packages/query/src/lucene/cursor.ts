import type { RedoubtError } from '@redoubt/errors';
import { charactersBetween, luceneParseError } from './parse-error.ts';

/** Limits of one expression, so that no expression can exhaust the parser or the engine. */
export const luceneLimits = {
  /** UTF-16 code units of the whole expression. */
  length: 65_536,
  /** Nesting of groups, in the expression and in each regular expression. */
  depth: 100,
  /** Clauses in all groups together. */
  clauses: 1024,
  /** UTF-16 code units of one term, phrase, pattern or bound. */
  term: 8192,
  /** Total size of all regular expressions, in characters after counted repetitions are expanded. */
  regexSize: 10_000,
} as const;

/** The position in an expression that is being parsed, and how much of the limits is used up. */
export interface Cursor {
  readonly text: string;
  at: number;
  clauses: number;
  regexSize: number;
  /** A running count of characters, so that computing ascending positions reads the text only once. */
  counted: { at: number; characters: number };
}

export const createCursor = (text: string): Cursor => ({
  text,
  at: 0,
  clauses: 0,
  regexSize: 0,
  counted: { at: 0, characters: 0 },
});

export const peekCharacter = ({ text, at }: Cursor): string => {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
};

/** Returns the next character and moves behind it. Returns an empty string at the end. */
export const takeCharacter = (cursor: Cursor): string => {
  const character = peekCharacter(cursor);
  cursor.at += character.length;
  return character;
};

/** Moves behind `wanted` if it comes next. Returns whether it did. */
export const acceptText = (cursor: Cursor, wanted: string): boolean => {
  const isNext = cursor.text.startsWith(wanted, cursor.at);
  if (isNext) cursor.at += wanted.length;
  return isNext;
};

/** Moves behind the match of a sticky pattern and returns the match, or an empty string if there is none. */
export const acceptPattern = (cursor: Cursor, pattern: RegExp): string => {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0] ?? '';
  cursor.at += found.length;
  return found;
};

export const skipSpace = (cursor: Cursor): string => acceptPattern(cursor, /\s+/y);

export const isAtEnd = ({ text, at }: Cursor): boolean => at >= text.length;

/** The 1-based position of an index, in characters (code points). Indexes must not descend between calls. */
export function positionOf(cursor: Cursor, index: number): number {
  const { at, characters } = cursor.counted;
  cursor.counted = { at: index, characters: characters + charactersBetween(cursor.text, at, index) };
  return cursor.counted.characters + 1;
}

/** Creates the error for the character at `index`, by default at the cursor. */
export const createParseError = (cursor: Cursor, expected: string, index = cursor.at): RedoubtError =>
  luceneParseError(cursor.text, index, expected);
