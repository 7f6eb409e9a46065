/** A range of a text, in UTF-16 code units. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

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
  ranges: readonly Range[],
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

/** The parts of a text, by whether they are marked. The ranges do not overlap. */
export const markedParts = (
  text: string,
  ranges: readonly Range[],
): { text: string; isMarked: boolean }[] => {
  const parts: { text: string; isMarked: boolean }[] = [];
  let end = 0;
  for (const { from, to } of ranges.toSorted((one, other) => one.from - other.from)) {
    parts.push(
      { text: text.slice(end, from), isMarked: false },
      { text: text.slice(from, to), isMarked: true },
    );
    end = to;
  }
  parts.push({ text: text.slice(end), isMarked: false });
  return parts.filter((part) => part.text !== '');
};
