import { recordColumns, wordsEnd } from '@redoubt/query';
import type { RecordParts } from './record-reader.ts';
import { sourceColumnNames } from './record-source.ts';
import { createRowBuffer, withPrefixes, type RowBuffer } from './row-buffer.ts';

/**
 * The columns with the content of a record, in order. The label id is first, so that it can be added later as a prefix.
 */
export const contentColumns: readonly string[] = [
  recordColumns.labelId,
  recordColumns.recordId,
  recordColumns.ingestedAt,
  recordColumns.raw,
  recordColumns.doc,
  recordColumns.fields,
  recordColumns.words,
  recordColumns.looseCode,
  recordColumns.looseText,
  recordColumns.looseNumber,
  recordColumns.timePath,
  recordColumns.timeMicros,
];

/** The columns of prepared rows, in order. */
export const insertColumns: readonly string[] = [...contentColumns, ...sourceColumnNames];

/** The number of records with the same label (an index into `labels`) and the same codes of `fields`. */
export interface RecordGroup {
  label: number;
  codes: number[];
  count: number;
}

/** Rows that only lack their label ids. */
export interface PreparedRows {
  rows: RowBuffer;
  shapes: RecordGroup[];
  /** The index of the shape of each row. */
  shapeOf: number[];
}

/** The facts about rows, without their bytes. */
export type RowsSummary = Omit<PreparedRows, 'rows'>;

/** Adds a prefix to each row; there is one prefix for each label of the batch. */
export const prefixRows = (rows: PreparedRows, prefixes: readonly string[]): Buffer =>
  withPrefixes(rows.rows, (row) => labelOfRow(rows, row), prefixes);

function labelOfRow({ shapes, shapeOf }: RowsSummary, row: number): number {
  const shape = shapes[shapeOf[row] ?? -1];
  if (shape === undefined) throw new Error(`Row ${String(row)} has no label.`);
  return shape.label;
}

/** Collects rows. */
export interface Rows {
  /** @param source from `sourceText` */
  add: (recordId: string, now: number, parts: RecordParts, label: number, source: string) => void;
  take: () => PreparedRows;
}

export function createRows(): Rows {
  const buffer = createRowBuffer();
  const shapeOf: number[] = [];
  const shapes: RecordGroup[] = [];
  const known = new Map<string, number>();
  return {
    add(recordId, now, parts, label, source) {
      buffer.add([...contentPieces(recordId, now, parts), `\t${source}\n`]);
      const key = `${parts.fields}${String(label)}`;
      let at = known.get(key);
      if (at === undefined) {
        at = shapes.push({ label, codes: codeList(parts.fields), count: 0 }) - 1;
        known.set(key, at);
      }
      shapeOf.push(at);
      const shape = shapes[at];
      if (shape !== undefined) shape.count++;
    },
    take: () => ({ rows: buffer.take(), shapes, shapeOf }),
  };
}

const codeList = (fields: string): number[] =>
  fields === '' ? [] : fields.slice(0, -1).split(',').map(Number);

/**
 * The content of one row in the format TabSeparated, without its newline. Its texts contain no tabs and newlines, so
 * only backslashes need escaping.
 */
const contentPieces = (recordId: string, now: number, parts: RecordParts): readonly string[] => [
  `${recordId}\t${String(now)}\t`,
  escapeBackslashes(parts.raw),
  '\t{',
  withoutComma(escapeBackslashes(parts.doc)),
  `}\t[${withoutComma(parts.fields)}]\t`,
  parts.words,
  `${wordsEnd}\t[${withoutComma(parts.looseCode)}]\t[`,
  withoutComma(parts.looseText),
  `]\t[${withoutComma(parts.looseNumber)}]\t[${withoutComma(parts.timePath)}]\t[${withoutComma(parts.timeMicros)}]`,
];

/** The same as one line. */
export const contentText = (recordId: string, now: number, parts: RecordParts): string =>
  `${contentPieces(recordId, now, parts).join('')}\n`;

const escapeBackslashes = (text: string): string =>
  text.includes('\\') ? text.replaceAll('\\', '\\\\') : text;

const withoutComma = (list: string): string => (list === '' ? '' : list.slice(0, -1));
