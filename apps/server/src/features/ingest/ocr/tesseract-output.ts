import type { PageWord, Turn } from '@redoubt/file-formats';

/** The fields of a line of the TSV output of Tesseract, in its order. */
interface TsvLine {
  level: number;
  block: number;
  paragraph: number;
  line: number;
  box: [number, number, number, number];
  text: string;
}

const wordLevel = 5;

const parseLine = (text: string): TsvLine | undefined => {
  const fields = text.split('\t');
  const [level = NaN, , block = 0, paragraph = 0, line = 0, , left = 0, top = 0, width = 0, height = 0] =
    fields.slice(0, 11).map(Number);
  return Number.isNaN(level)
    ? undefined
    : {
        level,
        block,
        paragraph,
        line,
        box: [left, top, width, height],
        text: fields.slice(11).join(' ').trim(),
      };
};

/** The text of a page, with a line for each of its lines and an empty one between paragraphs, and its words. */
export const parseTsv = (tsv: string): { text: string; words: PageWord[] } => {
  const words: PageWord[] = [];
  let text = '';
  let before: TsvLine | undefined;
  for (const row of tsv.split('\n')) {
    const word = parseLine(row);
    if (word?.level !== wordLevel || word.text === '') continue;
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

/** Below this confidence, the orientation is a guess. */
const minConfidence = 1;

/** The turn that makes a page upright, as Tesseract reports it. */
export const parseOrientation = (output: string): Turn => {
  const confidence = Number(/^Orientation confidence: ([\d.]+)$/m.exec(output)?.[1] ?? 0);
  const degrees = Number(/^Rotate: (\d+)$/m.exec(output)?.[1] ?? 0);
  return confidence >= minConfidence && (degrees === 90 || degrees === 180 || degrees === 270) ? degrees : 0;
};
