import { recordIdColumn } from '../columns/choose-columns.ts';
import type { RejectedRow, Row } from '../file-format.ts';
import { FileParseError } from '../file-parse-error.ts';
import { rejectRow } from './reject-row.ts';
import type { RecordChange } from '../json/change-record.ts';

/** A record from a parser, with its position in the file. */
export interface MadeRecord {
  readonly line: number;
  readonly offset: number;
  /** The JSON of an object. */
  readonly json: string;
  readonly hasRecordId: boolean;
  /** The beginning of the record as it is in the file. */
  readonly text: string;
}

/** Converts a record to a row: renames, types and skips its columns. */
export function recordRow(
  { line, offset, json, hasRecordId, text }: MadeRecord,
  change: RecordChange,
  fileName: string,
): Row | RejectedRow {
  const changed = change.apply(json, hasRecordId);
  if ('problem' in changed) {
    return rejectRow(line, offset, changed.problem, text, change.labelFields(json));
  }
  if (changed.hasRecordId) {
    throw new FileParseError(
      fileName,
      line,
      `a record has the key "${recordIdColumn}", and rows of files cannot replace records. Skip or rename it in "columns".`,
    );
  }
  return { kind: 'row', line, offset, json: changed.json };
}
