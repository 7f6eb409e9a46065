import { parseObject } from '../parse-object.ts';
import type { FileItem, ParserItem } from '../parser/start-parser.ts';
import type { StoredWords } from '../pages/page-images.ts';
import { ConfinedProcessError } from './run-confined.ts';
import type { Recognize } from './recognizer.ts';

/**
 * Replaces the images of pages without text by the text that is recognised in them.
 * @param keepWords stores the words of a page, before the row of the page is stored
 */
export async function* recognizePages(
  items: AsyncIterable<ParserItem>,
  recognize: Recognize,
  keepWords: (page: number, words: StoredWords) => Promise<void>,
  signal: AbortSignal,
): AsyncGenerator<FileItem> {
  let scan: Extract<ParserItem, { kind: 'scan' }>['scan'] | undefined;
  for await (const item of items) {
    if (item.kind === 'scan') {
      ({ scan } = item);
      continue;
    }
    if (item.kind !== 'row' || scan === undefined) {
      yield item;
      continue;
    }
    const page = Number(parseObject(item.json.toString('utf8'))?.['page']);
    try {
      const { text, ...words } = await recognize(scan, signal);
      scan = undefined;
      await keepWords(page, words);
      yield { ...item, json: Buffer.from(JSON.stringify({ page, text })) };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ConfinedProcessError)) throw error;
      const text = `the text of page ${String(page)} could not be recognised: the process for it was stopped, because ${error.message}. Send the page as a smaller image, or with its text.`;
      yield { kind: 'fault', line: 0, text };
      return;
    }
  }
}
