import type { FileLimits } from '../file-limits.ts';
import { maxRejectLength } from '../file-limits.ts';
import type { TextChunk } from '../text/text-decoder.ts';
import { createCsvTokenizer, type CellSyntax, type CsvRecord } from './csv-tokenizer.ts';

/** A record with its position. `text` is made on demand. */
export interface PlacedRecord {
  readonly record: CsvRecord;
  readonly line: number;
  readonly offset: number;
  /** Whether the file contained bytes before this point that are not text in its encoding. */
  readonly hasInvalid: boolean;
  text(): string;
}

export interface CsvReader {
  push(chunk: TextChunk): void;
  end(): void;
}

/**
 * Reads records from chunks of text and hands each to `onRecord`, in order. A record above the limit is not kept in
 * memory.
 */
export function createCsvReader(
  syntax: CellSyntax,
  { maxRowLength }: Pick<FileLimits, 'maxRowLength'>,
  onRecord: (placed: PlacedRecord) => void,
): CsvReader {
  const tokenizer = createCsvTokenizer(syntax);
  const { record } = tokenizer;
  const skipper = createRecordSkipper(syntax);
  let buffer = '';
  /** The characters of the file before the buffer. */
  let base = 0;
  let line = 1;
  let at = 0;
  let hasInvalid = false;
  /**
   * The buffer length at which reading is tried again, so that a record in many chunks is not searched at each chunk.
   */
  let wanted = 0;
  /** The start of a record that exceeds the limit. */
  let skipped: { text: string; line: number; offset: number } | undefined;
  const placed = {
    record,
    line: 1,
    offset: 0,
    hasInvalid: false,
    text: () => buffer.slice(at, record.end),
  };

  const linesIn = (from: number, to: number): number => countOf(buffer, syntax.lineEnd, from, to);

  function emit(): void {
    placed.line = line;
    placed.offset = base + at;
    placed.hasInvalid = hasInvalid;
    if (record.end - at > maxRowLength) record.problem = tooLong(record.end - at, maxRowLength);
    onRecord(placed);
    line += record.quoted === undefined && record.problem === undefined ? 1 : linesIn(at, record.next);
    at = record.next;
  }

  function readAll(isLast: boolean): void {
    tokenizer.setText(buffer);
    while (at < buffer.length && tokenizer.read(at, isLast)) emit();
    buffer = buffer.slice(at);
    base += at;
    at = 0;
    wanted = buffer.length * 2;
    if (buffer.length > maxRowLength) startSkipping();
  }

  function startSkipping(): void {
    skipped = { text: buffer.slice(0, maxRejectLength), line, offset: base };
    const all = buffer;
    buffer = '';
    skipper.start();
    skip(all);
  }

  /** Skips to the end of the record and continues after it. */
  function skip(text: string): void {
    const end = skipper.find(text);
    const length = end ?? text.length;
    line += countOf(text, syntax.lineEnd, 0, length);
    base += length;
    if (end === undefined) return;
    emitSkipped(base - (skipped?.offset ?? 0));
    buffer = text.slice(length);
    wanted = 0;
  }

  function emitSkipped(length: number): void {
    if (skipped === undefined) return;
    const { text, ...place } = skipped;
    skipped = undefined;
    const problem = tooLong(length, maxRowLength);
    const tooLongRecord: CsvRecord = { cells: [], quoted: undefined, problem, end: 0, next: 0 };
    onRecord({ ...place, record: tooLongRecord, hasInvalid, text: () => text });
  }

  return {
    push(chunk) {
      hasInvalid ||= chunk.hasInvalid;
      if (skipped === undefined) buffer += chunk.text;
      else skip(chunk.text);
      if (skipped === undefined && buffer.length >= wanted) readAll(false);
    },
    end() {
      if (skipped === undefined) readAll(true);
      emitSkipped(base - (skipped?.offset ?? 0));
    },
  };
}

const tooLong = (length: number, max: number): string =>
  `it has ${String(length)} characters; a row may have up to ${String(max)}. A quote that is not closed makes a row too long, too.`;

function countOf(text: string, wanted: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf(wanted, from); at >= 0 && at < to; at = text.indexOf(wanted, at + 1)) count++;
  return count;
}

/** Finds the end of a record across several chunks without keeping any of them. */
function createRecordSkipper({ delimiter, quote, escape, lineEnd }: CellSyntax): {
  start(): void;
  /** The offset after the record's end; undefined if the chunk does not contain it. */
  find(text: string): number | undefined;
} {
  const codes = [delimiter, quote, escape, lineEnd].map((text) => text.charCodeAt(0));
  const [delimiterCode, quoteCode, escapeCode, lineCode] = codes;
  let isQuoted = false;
  let isCellStart = true;
  let isEscaped = false;
  return {
    start() {
      isQuoted = false;
      isCellStart = true;
      isEscaped = false;
    },
    find(text) {
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at);
        if (isEscaped) {
          isEscaped = false;
        } else if (code === escapeCode && isQuoted) {
          isEscaped = true;
          // Two quotes in a quoted cell close it and open it again.
        } else if (code === quoteCode && (isQuoted || isCellStart)) {
          isQuoted = !isQuoted;
          isCellStart = true;
        } else if (!isQuoted) {
          if (code === lineCode) return at + 1;
          isCellStart = code === delimiterCode;
        }
      }
      return undefined;
    },
  };
}
