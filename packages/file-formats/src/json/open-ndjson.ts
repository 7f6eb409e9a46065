import type { FileOptions, OpenedFile, RejectedRow, Row, RowBatch } from '../file-format.ts';
import type { FileLimits } from '../file-limits.ts';
import { rejectRow } from '../rows/reject-row.ts';
import { createRowCounter } from '../rows/row-counter.ts';
import type { TextSource } from '../text/open-text.ts';
import { createLineReader, type Line } from '../text/line-reader.ts';
import { createRecordChange } from './change-record.ts';
import { createJsonScanner, JsonSyntaxError } from './json-scanner.ts';
import { jsonRow } from './json-rows.ts';
import { recordIdColumn } from '../columns/choose-columns.ts';

/** The character before each JSON text in the format of RFC 7464. */
const recordSeparator = '\u001e';

/** The format in which the server writes the messages of topics. No request can name it. */
export const messagesFormat = 'messages';

/** The character before a message that is no row: the reason and the text of a reject, as JSON. */
export const rejectMark = '\u0018';

/** The place of a message before its row or reject: topic, partition and offset. */
export const messagePlace = /^([\w.-]+)\/(\d+)\/(\d+) /;

/**
 * Opens a file with one JSON object on each line.
 * @param isMessages whether lines are in the format `messages`, in which this server writes the messages of topics
 */
export function openNdjson(
  text: TextSource,
  options: FileOptions,
  limits: FileLimits,
  isMessages = false,
): OpenedFile {
  const { fileName } = options;
  const change = createRecordChange(options);
  const scanner = createJsonScanner(recordIdColumn);

  /** Converts a line to a row; undefined for a blank line. */
  function readLine({
    text: content,
    line,
    offset,
    problem,
    hasInvalid,
  }: Line): Row | RejectedRow | undefined {
    if (problem !== undefined) return rejectRow(line, offset, problem, content);
    const message = isMessages ? content.replace(messagePlace, '') : content;
    const reject = isMessages ? readReject(message) : undefined;
    if (reject !== undefined) return rejectRow(line, offset, ...reject);
    const own = message.startsWith(recordSeparator) ? message.slice(1) : message;
    const json = own.replace(/^[ \t\r]+|[ \t\r]+$/g, '');
    if (json === '') return undefined;
    const invalid = hasInvalid ? text.invalidText(content) : undefined;
    try {
      scanner.scan(json, 0, true);
      if (scanner.value.end < json.length) {
        return rejectRow(line, offset, textBehind(json, scanner.value.end), content);
      }
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      const reason = invalid ?? `invalid JSON at its character ${String(error.at + 1)}: ${error.message}`;
      return rejectRow(line, offset, reason, content);
    }
    return jsonRow({ value: scanner.value, text: json, line, offset, invalid }, { fileName, limits, change });
  }

  async function* rows(): AsyncGenerator<RowBatch> {
    const counter = createRowCounter(limits, fileName);
    const lines = createLineReader(limits.maxRowLength);
    const batchOf = (read: readonly Line[]): RowBatch =>
      counter.count(read.map(readLine).filter((row) => row !== undefined));
    for await (const chunk of text.chunks()) {
      const batch = batchOf(lines.push(chunk));
      if (batch.length > 0) yield batch;
    }
    const batch = batchOf(lines.end());
    if (batch.length > 0) yield batch;
  }

  return { format: 'ndjson', containers: [], encoding: text.encoding, rows };
}

function readReject(message: string): [reason: string, text: string] | undefined {
  if (!message.startsWith(rejectMark)) return undefined;
  try {
    return JSON.parse(message.slice(rejectMark.length)) as [string, string];
  } catch {
    return undefined;
  }
}

function textBehind(json: string, end: number): string {
  const at = end + json.slice(end).search(/[^ \t]/);
  return `invalid JSON at its character ${String(at + 1)}: expected the end of the line after the object.`;
}
