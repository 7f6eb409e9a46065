import { RedoubtError } from '@redoubt/errors';
import type { StatementRange } from '../statements.ts';

/** Converts a number of characters (code points) to an index in UTF-16 code units. */
const indexOfCharacter = (text: string, characters: number): number => {
  let at = 0;
  for (let count = 0; count < characters && at < text.length; count += 1)
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
};

/**
 * The range of the editor's text that an error is about. For an error at the end, it is the last character.
 * @param sent the text that the server has parsed
 * @param start the index in the editor's text where `sent` begins
 */
export const placeOfError = (error: unknown, sent: string, start: number): StatementRange | undefined => {
  if (!(error instanceof RedoubtError) || error.position === undefined) return undefined;
  const { offset, length } = error.position;
  const from = indexOfCharacter(sent, offset);
  if (length === 0) return { from: start + Math.max(0, sent.length - 1), to: start + sent.length };
  return { from: start + from, to: start + from + indexOfCharacter(sent.slice(from), length) };
};
