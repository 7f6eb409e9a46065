import { maxRejectLength } from '../file-limits.ts';
import type { TextChunk } from './text-decoder.ts';

export interface Line {
  /** The line without its end; only its start if there is a problem. */
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
  /** Characters before the line. */
  readonly offset: number;
  readonly problem: string | undefined;
  /** Whether the file contained bytes before this point that are not text in its encoding. */
  readonly hasInvalid: boolean;
}

export interface LineReader {
  /** Returns the lines that the chunk completes. */
  push(chunk: TextChunk): Line[];
  end(): Line[];
}

/** Splits text into lines. Of a line that is longer than `maxLength`, it keeps only the start in memory. */
export function createLineReader(maxLength: number): LineReader {
  let parts: string[] = [];
  /** The characters of the unfinished line, including those that are not kept. */
  let length = 0;
  let line = 1;
  let offset = 0;
  let hasInvalid = false;

  function append(text: string): void {
    if (length <= maxLength && text !== '') parts.push(text);
    length += text.length;
    if (length > maxLength && parts.length > 1) parts = [parts.join('').slice(0, maxRejectLength)];
  }

  function finish(): Line {
    const isLong = length > maxLength;
    const text = parts.length === 1 ? (parts[0] ?? '') : parts.join('');
    parts = [];
    length = 0;
    return {
      text: isLong ? text.slice(0, maxRejectLength) : text,
      line,
      offset,
      problem: isLong ? `it is longer than ${String(maxLength)} characters, the limit of a row.` : undefined,
      hasInvalid,
    };
  }

  return {
    push({ text, hasInvalid: isInvalid }) {
      hasInvalid ||= isInvalid;
      const lines: Line[] = [];
      let from = 0;
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
        append(text.slice(from, end));
        const size = length + 1;
        lines.push(finish());
        line++;
        offset += size;
        from = end + 1;
      }
      append(text.slice(from));
      return lines;
    },
    end: () => (length === 0 ? [] : [finish()]),
  };
}
