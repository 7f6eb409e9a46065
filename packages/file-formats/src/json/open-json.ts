import { recordIdColumn } from '../columns/choose-columns.ts';
import type { FileOptions, OpenedFile, RejectedRow, Row, RowBatch } from '../file-format.ts';
import type { FileLimits } from '../file-limits.ts';
import { FileParseError } from '../file-parse-error.ts';
import { rejectRow } from '../rows/reject-row.ts';
import { createRowCounter } from '../rows/row-counter.ts';
import type { TextSource } from '../text/open-text.ts';
import { createRecordChange } from './change-record.ts';
import { createJsonReader, JsonDocumentError, type FoundValue, type JsonReader } from './json-reader.ts';
import { jsonRow, tooLong } from './json-rows.ts';

/**
 * Opens a JSON document: a list of records, a record, several of these, or a FeatureCollection, whose features are
 * rows.
 */
export function openJson(
  text: TextSource,
  options: FileOptions,
  limits: FileLimits,
  format: 'json' | 'geojson',
): OpenedFile {
  const { fileName } = options;
  const change = createRecordChange(options);

  async function* rows(): AsyncGenerator<RowBatch> {
    const counter = createRowCounter(limits, fileName);
    let batch: (Row | RejectedRow)[] = [];
    let hasInvalid = false;

    function add({ tooLong: length, ...found }: FoundValue): void {
      const { line, offset } = found;
      if (length !== undefined) {
        batch.push(rejectRow(line, offset, tooLong(length, limits.maxRowLength), found.text));
        return;
      }
      const invalid = hasInvalid ? text.invalidText(found.text) : undefined;
      batch.push(jsonRow({ ...found, invalid }, { fileName, limits, change }));
    }

    const reader = createJsonReader({
      maxLength: limits.maxRowLength,
      wantedKey: recordIdColumn,
      listKey: format === 'geojson' ? 'features' : undefined,
      onValue: add,
    });

    for await (const chunk of text.chunks()) {
      hasInvalid ||= chunk.hasInvalid;
      const error = attempt(reader, (json) => {
        json.push(chunk.text);
      });
      const full = batch;
      batch = [];
      if (full.length > 0) yield counter.count(full);
      if (error !== undefined) throw toFileError(error, fileName);
    }
    const cause = attempt(reader, (json) => {
      json.end();
    });
    if (batch.length > 0) yield counter.count(batch);
    if (cause !== undefined) throw toFileError(cause, fileName);
  }

  return { format, containers: [], encoding: text.encoding, rows };
}

/** Returns the error with which reading ends, so that the caller can return the rows before it first. */
function attempt(reader: JsonReader, read: (reader: JsonReader) => void): unknown {
  try {
    read(reader);
    return undefined;
  } catch (error) {
    return error ?? new Error('Reading failed without an error.');
  }
}

const toFileError = (error: unknown, fileName: string): unknown =>
  error instanceof JsonDocumentError ? new FileParseError(fileName, error.line, error.message) : error;
