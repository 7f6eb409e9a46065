import { parseLucene } from '@redoubt/query/lucene';
import { RedoubtError } from '@redoubt/errors';

/** A range of a text, in UTF-16 code units. */
interface TextRange {
  readonly from: number;
  readonly to: number;
}

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

type Node = ReturnType<typeof parseLucene>;

/** The words that a search looks for, in lower case, without those that it excludes. */
export const wordsOf = (expression: string): string[] => {
  const words = new Set<string>();
  const visit = (node: Node): void => {
    if (node.type === 'boolean') {
      for (const { occur, node: inner } of node.clauses) if (occur !== 'mustNot') visit(inner);
    } else if ('text' in node && typeof node.text === 'string') {
      for (const word of node.text.toLowerCase().split(/[^\p{L}\p{N}]+/u)) if (word !== '') words.add(word);
    }
  };
  try {
    visit(parseLucene(expression));
  } catch {
    return [];
  }
  return [...words];
};

/** The ranges of a text where one of the words occurs as a whole word. */
export const findWords = (text: string, words: readonly string[]): TextRange[] =>
  [...text.matchAll(/[\p{L}\p{N}]+/gu)]
    .filter(([word]) => words.includes(word.toLowerCase()))
    .map(({ 0: word, index }) => ({ from: index, to: index + word.length }));

/** Writes a field name for a search, with a backslash before special characters. */
export const escapeField = (name: string): string =>
  name.replaceAll(/[\s+\-!(){}[\]^"~*?:\\/&|<>=]/g, '\\$&');
