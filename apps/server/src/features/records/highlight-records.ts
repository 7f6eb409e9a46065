import { setImmediate as nextTurn } from 'node:timers/promises';
import { maxHighlightedRecords } from '@redoubt/contract';
import { badField, describeValue, invalidField } from '@redoubt/errors';
import type { RecordHighlights } from '@redoubt/query';
import type { RecordStream } from '@redoubt/records';
import type { ResponseFormat } from './response-format.ts';

/** Finds the places that matched in a record, from its JSON text in UTF-8. */
export type Highlighter = (record: Uint8Array) => RecordHighlights;

/**
 * @param limit -1 means all records
 * @throws RedoubtError 400 for more records than may have highlights
 */
export const checkHighlightLimit = (limit: number): void => {
  if (limit < 0 || limit > maxHighlightedRecords) {
    throw invalidField({
      field: 'limit',
      expected: `from 1 to ${String(maxHighlightedRecords)} with highlight`,
      got: describeValue(limit),
      advice: 'Read the records in pages by offset, or leave highlight out.',
    });
  }
};

/**
 * @param limit -1 means all records
 * @throws RedoubtError 400 for more records than may have highlights, and for other formats than JSON
 */
export const checkHighlightOptions = (limit: number, format: ResponseFormat): void => {
  checkHighlightLimit(limit);
  if (format !== 'json')
    throw badField(
      'highlight',
      'needs a response in JSON. Leave it out, or send the header Accept: application/json.',
    );
};

/**
 * Finds the highlights of one record after another, as JSON. Between records, other requests get their turn.
 * @param maxBytes the maximum size of all of them; a record with more than is left has no places and is not complete
 */
export const createHighlightPrinter = (
  highlighter: Highlighter,
  maxBytes: number,
): ((record: Uint8Array) => Promise<string>) => {
  let left = maxBytes;
  return async (record) => {
    await nextTurn();
    const text = JSON.stringify(highlighter(record));
    const bytes = Buffer.byteLength(text);
    if (bytes > left) return JSON.stringify({ places: [], complete: false });
    left -= bytes;
    return text;
  };
};

const newline = 0x0a;
const comma = 0x2c;

/**
 * Finds the highlights of records separated by newlines. Between records, other requests get their turn.
 * @returns the records with commas between them, and their highlights
 */
export async function highlightLines(
  lines: Uint8Array,
  highlighter: Highlighter,
): Promise<{ records: Uint8Array; highlights: RecordHighlights[] }> {
  const records = Uint8Array.from(lines);
  const highlights: RecordHighlights[] = [];
  for (let from = 0; from < records.length;) {
    const found = records.indexOf(newline, from);
    const end = found === -1 ? records.length : found;
    highlights.push(highlighter(records.subarray(from, end)));
    if (found !== -1) records[found] = comma;
    from = end + 1;
    await nextTurn();
  }
  return { records, highlights };
}

/**
 * Passes on records with commas between them, and adds the highlights of each to a list.
 * @param lines at most `maxHighlightedRecords` records, separated by newlines
 */
export async function* highlightRecords(
  lines: RecordStream,
  highlighter: Highlighter,
  highlights: RecordHighlights[],
): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of lines) chunks.push(chunk);
  const found = await highlightLines(Buffer.concat(chunks), highlighter);
  highlights.push(...found.highlights);
  yield found.records;
}
