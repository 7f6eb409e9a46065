import type { TextRange } from '@redoubt/ui';

interface Word {
  readonly text: string;
  readonly box: readonly number[];
}

/**
 * The words of a page that overlap ranges of its text. The text has the words in their order, with other characters
 * between them.
 */
export const wordsInRanges = <W extends Word>(
  text: string,
  words: readonly W[],
  ranges: readonly TextRange[],
): W[] => {
  const found: W[] = [];
  let end = 0;
  for (const word of words) {
    const from = text.indexOf(word.text, end);
    // A word that is missing from the text cannot be marked, and moves no other one.
    if (word.text === '' || from < 0) continue;
    end = from + word.text.length;
    if (ranges.some((range) => range.from < end && range.to > from)) found.push(word);
  }
  return found;
};
