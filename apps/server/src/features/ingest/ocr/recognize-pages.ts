import type { PageScan } from '@redoubt/file-formats';
import { parseObject } from '../parse-object.ts';
import type { FileItem, ParserItem } from '../parser/start-parser.ts';
import type { StoredWords } from '../pages/stored-words.ts';
import { MissingLanguageError } from './ocr-languages.ts';
import { ConfinedProcessError } from './run-confined.ts';
import type { Recognize } from './recognizer.ts';

/**
 * Replaces the images of pages without text by the text that is recognised in them.
 * @param keepWords stores the words of a row of the file, counted from 1, before the row is stored
 */
export async function* recognizePages(
  items: AsyncIterable<ParserItem>,
  recognize: (image: PageScan, signal: AbortSignal) => ReturnType<Recognize>,
  keepWords: (row: number, words: StoredWords) => Promise<void>,
  signal: AbortSignal,
): AsyncGenerator<FileItem> {
  let row = 0;
  let isInner = false;
  let scan: Extract<ParserItem, { kind: 'scan' }>['scan'] | undefined;
  for await (const item of items) {
    if (item.kind === 'scan') {
      ({ scan } = item);
      continue;
    }
    if (item.kind === 'begin') isInner = true;
    if (item.kind === 'row' || item.kind === 'reject') row++;
    if (item.kind !== 'row' || scan === undefined) {
      yield item;
      continue;
    }
    const fields = parseObject(item.json.toString('utf8')) ?? {};
    try {
      const { text, ...words } = await recognize(scan, signal);
      scan = undefined;
      await keepWords(row, words);
      yield { ...item, json: Buffer.from(JSON.stringify({ ...fields, text })) };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ConfinedProcessError) && !(error instanceof MissingLanguageError)) throw error;
      const text =
        error instanceof MissingLanguageError
          ? `the text of images cannot be recognised: the languages must be ${error.message}`
          : `the text of page ${String(fields['page'])} could not be recognised: the process for it was stopped, because ${error.message}. Send the page as a smaller image, or with its text.`;
      if (isInner) {
        scan = undefined;
        yield { ...item, json: Buffer.from(JSON.stringify({ ...fields, error: text })) };
        continue;
      }
      yield { kind: 'fault', line: 0, text };
      return;
    }
  }
}
