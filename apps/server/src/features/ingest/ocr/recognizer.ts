import { turnedGray, type PageScan, type PageWord, type Turn } from '@redoubt/file-formats';
import { engineFor } from './ocr-languages.ts';
import { isSurelyUpright, parseTsv } from './tesseract-output.ts';

/** The text of the image of a page. */
export interface RecognizedPage {
  text: string;
  /** How the image was turned to be upright. */
  turn: Turn;
  /** Pixels of the upright image, in which the boxes of the words are given. */
  width: number;
  height: number;
  words: PageWord[];
}

/** What recognises text. */
export interface OcrEngine {
  /** The name for people. */
  name: string;
  /** The languages that it has, by their names in Tesseract. */
  languages: readonly string[];
  /** The turn that makes an image upright; 0 if it cannot be determined. */
  findTurn(image: PageScan, signal: AbortSignal): Promise<Turn>;
  /** The words of an upright image as TSV; undefined if the engine cannot read it. */
  read(image: PageScan, languages: readonly string[], signal: AbortSignal): Promise<string | undefined>;
}

/** Pixels of a side; no character is smaller. */
const minSide = 8;

/**
 * Recognises the text of the image of a page.
 * @param languages undefined for those of the setting
 * @throws MissingLanguageError if one is not installed
 */
export type Recognize = (
  image: PageScan,
  languages: readonly string[] | undefined,
  signal: AbortSignal,
) => Promise<RecognizedPage>;

export const createRecognize =
  (engines: () => Promise<readonly OcrEngine[]>, byDefault: readonly string[]): Recognize =>
  async (image, languages = byDefault, signal) => {
    if (Math.min(image.width, image.height) < minSide)
      return { text: '', turn: 0, width: image.width, height: image.height, words: [] };
    const { findTurn, read } = engineFor(await engines(), languages);
    const readText = async (page: PageScan): Promise<string> => (await read(page, languages, signal)) ?? '';
    const first = await readText(image);
    // Most pages are upright, and finding out takes longer than reading.
    const turn = isSurelyUpright(first) ? 0 : await findTurn(image, signal);
    const upright = turnedGray(image, turn);
    const text = turn === 0 ? first : await readText(upright);
    return { ...parseTsv(text), turn, width: upright.width, height: upright.height };
  };
