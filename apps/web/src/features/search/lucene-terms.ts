import { parseLucene } from '@redoubt/query/lucene';
import { RedoubtError } from '@redoubt/errors';
import type { TextRange } from '@redoubt/ui';

/** Why a search cannot be parsed: the range, and a hint on what to write. */
interface SearchProblem extends TextRange {
  readonly hint: string;
}

const indexOfCharacter = (text: string, characters: number): number =>
  Array.from(text).slice(0, characters).join('').length;

/**
 * Parses a search as the server does.
 * @returns undefined if the search is valid or empty
 */
export const findProblem = (expression: string): SearchProblem | undefined => {
  if (expression.trim() === '') return undefined;
  try {
    parseLucene(expression);
    return undefined;
  } catch (error) {
    if (!(error instanceof RedoubtError)) throw error;
    const { offset, length } = error.position ?? { offset: 0, length: 0 };
    const hint = error.hint ?? error.message;
    const end = expression.trimEnd().length;
    // At the end of the text there is no character to underline, so the last one is underlined.
    if (length === 0) return { from: Math.max(0, end - 1), to: end, hint };
    return {
      from: indexOfCharacter(expression, offset),
      to: indexOfCharacter(expression, offset + length),
      hint,
    };
  }
};

/** Writes a field name for a search, with a backslash before special characters. */
export const escapeField = (name: string): string =>
  name.replaceAll(/[\s+\-!(){}[\]^"~*?:\\/&|<>=]/g, '\\$&');
