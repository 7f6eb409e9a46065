import type { RedoubtError } from '@redoubt/errors';
import { charactersBetween, luceneParseError } from './parse-error.ts';

/** What one expression may hold, so that no expression can exhaust the parser or the engine. */
export const luceneLimits = {
  /** UTF-16 units of the whole expression. */
  length: 65_536,
  /** Groups inside groups, in the expression and in a regular expression. */
  depth: 100,
  /** Clauses in all groups together. */
  clauses: 1024,
  /** UTF-16 units of one term, phrase, pattern or bound. */
  term: 8192,
  /** The size of all regular expressions together, in characters to match after counted repetitions are written out. */
  regexSize: 10_000,
} as const;

/** A place in an expression that is being read, and what it has used of the limits. */
export interface Cursor {
  readonly text: string;
  at: number;
  clauses: number;
  regexSize: number;
  /** Up to where characters were counted, so that asking for one position after another reads the text once. */
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

/** The next character; the cursor moves behind it. Empty at the end. */
export const takeCharacter = (cursor: Cursor): string => {
  const character = peekCharacter(cursor);
  cursor.at += character.length;
  return character;
};

/** Moves behind `wanted` when it stands next. */
export const acceptText = (cursor: Cursor, wanted: string): boolean => {
  const isNext = cursor.text.startsWith(wanted, cursor.at);
  if (isNext) cursor.at += wanted.length;
  return isNext;
};

/** Moves behind what a sticky pattern matches here, and returns it; empty when it does not match. */
export const acceptPattern = (cursor: Cursor, pattern: RegExp): string => {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0] ?? '';
  cursor.at += found.length;
  return found;
};

export const skipSpace = (cursor: Cursor): string => acceptPattern(cursor, /\s+/y);

export const isAtEnd = ({ text, at }: Cursor): boolean => at >= text.length;

/** The 1-based number of the character (code point) at an index that is not before the last one asked for. */
export function positionOf(cursor: Cursor, index: number): number {
  const { at, characters } = cursor.counted;
  cursor.counted = { at: index, characters: characters + charactersBetween(cursor.text, at, index) };
  return cursor.counted.characters + 1;
}

/** The error for the character at `index`, which is where the cursor stands unless said. */
export const createParseError = (cursor: Cursor, expected: string, index = cursor.at): RedoubtError =>
  luceneParseError(cursor.text, index, expected);
