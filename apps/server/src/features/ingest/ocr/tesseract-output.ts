import type { PageWord, Turn } from '@redoubt/file-formats';

/** The fields of a line of the TSV output of Tesseract, in its order. */
interface TsvLine {
  level: number;
  block: number;
  paragraph: number;
  line: number;
  box: [number, number, number, number];
  /** How sure Tesseract is of the word, from 0 to 100. */
  confidence: number;
  text: string;
}

const wordLevel = 5;

const parseLine = (text: string): TsvLine | undefined => {
  const fields = text.split('\t');
  const [level = NaN, , block = 0, paragraph = 0, line = 0, , left = 0, top = 0, ...rest] = fields
    .slice(0, 11)
    .map(Number);
  const [width = 0, height = 0, confidence = 0] = rest;
  return Number.isNaN(level)
    ? undefined
    : {
        level,
        block,
        paragraph,
        line,
        box: [left, top, width, height],
        confidence,
        text: fields.slice(11).join(' ').trim(),
      };
};

const wordsOf = (tsv: string): TsvLine[] =>
  tsv.split('\n').flatMap((row) => {
    const word = parseLine(row);
    return word?.level !== wordLevel || word.text === '' ? [] : [word];
  });

/** The text of a page, with a line for each of its lines and an empty one between paragraphs, and its words. */
export const parseTsv = (tsv: string): { text: string; words: PageWord[] } => {
  const words: PageWord[] = [];
  let text = '';
  let before: TsvLine | undefined;
  for (const word of wordsOf(tsv)) {
    if (before !== undefined) text += separatorOf(before, word);
    text += word.text;
    words.push({ text: word.text, box: word.box });
    before = word;
  }
  return { text, words };
};

const separatorOf = (before: TsvLine, word: TsvLine): string => {
  if (before.block !== word.block || before.paragraph !== word.paragraph) return '\n\n';
  return before.line === word.line ? ' ' : '\n';
};

/** A word with fewer letters says little of its orientation. */
const minWordLetters = 3;
/** What a page needs so that its words alone tell that it is upright: a turned one reaches a confidence of 35. */
const uprightPage = { letters: 20, confidence: 75, widthOfHeight: 1.5 } as const;

/** Whether the words of a page tell that it is upright: Tesseract is sure of them, and they are wider than high. */
export const isSurelyUpright = (tsv: string): boolean => {
  const sums = { letters: 0, confidence: 0, width: 0, height: 0 };
  for (const { text, box, confidence } of wordsOf(tsv)) {
    if (text.length < minWordLetters) continue;
    sums.letters += text.length;
    sums.confidence += text.length * confidence;
    sums.width += box[2];
    sums.height += box[3];
  }
  return (
    sums.letters >= uprightPage.letters &&
    sums.confidence >= sums.letters * uprightPage.confidence &&
    sums.width >= sums.height * uprightPage.widthOfHeight
  );
};

/** Below this confidence, the orientation is a guess. */
const minConfidence = 1;

/** The turn that makes a page upright, as Tesseract reports it. */
export const parseOrientation = (output: string): Turn => {
  const confidence = Number(/^Orientation confidence: ([\d.]+)$/m.exec(output)?.[1] ?? 0);
  const degrees = Number(/^Rotate: (\d+)$/m.exec(output)?.[1] ?? 0);
  return confidence >= minConfidence && (degrees === 90 || degrees === 180 || degrees === 270) ? degrees : 0;
};
