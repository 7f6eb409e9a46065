import { chooseColumns, storedColumns, type ChosenColumn } from '../columns/choose-columns.ts';
import type { Column, OpenedFile, RejectedRow, Row, RowBatch } from '../file-format.ts';
import { FileParseError } from '../file-parse-error.ts';
import type { OpenContext } from '../open-context.ts';
import { typedValue } from '../rows/column-values.ts';
import { createLabelCellFinder } from '../rows/label-fields.ts';
import { excerpt } from '../rows/excerpt.ts';
import { quoteText } from '../rows/quote-text.ts';
import { rejectRow } from '../rows/reject-row.ts';
import { createRowCounter } from '../rows/row-counter.ts';
import { ExpansionError } from '../sources/read-pass.ts';
import { toFileError } from './damaged-file.ts';

/** A column of a file, by its place. */
export interface TableColumn {
  readonly name: string;
  readonly type: Column['type'];
}

/** A row of a file: the JSON of its values, or why it cannot be stored. */
export interface TableRow {
  /** By column, also of the skipped ones, which may be empty texts. */
  readonly values: readonly string[];
  readonly problem?: string | undefined;
}

/** A file that consists of columns with types. */
export interface ColumnarTable {
  readonly columns: readonly TableColumn[];
  /**
   * Reads the rows from the first on.
   * @param isRead which columns are stored
   */
  rows(isRead: readonly boolean[]): Iterable<TableRow>;
}

/** What reading a columnar file needs. */
export interface TableLimits {
  /** Lists, structs and maps within each other. */
  readonly maxNesting: number;
}

const batchRows = 1000;
/** Characters of a batch. */
const batchLength = 2_000_000;
/** What a row counts beside its values. */
const rowLength = 10;
/** Characters of values that a file may always have. Long runs of equal values take almost no bytes. */
const freeLength = 1_000_000_000;

/** The rows of a table under the names and limits that the request has. */
export function openTable(
  format: string,
  size: number,
  table: ColumnarTable,
  { options, limits }: OpenContext,
): OpenedFile {
  const { fileName } = options;
  if (table.columns.length > limits.maxColumns) {
    throw new FileParseError(
      fileName,
      0,
      `it has ${String(table.columns.length)} columns; a table may have up to ${String(limits.maxColumns)}.`,
    );
  }
  const names = table.columns.map(({ name }) => name);
  const chosen = chooseColumns(names, options, 0);
  const isRead = chosen.map(({ isSkipped }) => !isSkipped);
  const keys = chosen.map(({ name }) => `${quoteText(name)}:`);
  const findFields = createLabelCellFinder(chosen, options.labelFields);
  const maxLength = Math.max(freeLength, size * limits.maxExpansion);

  function rowOf(offset: number, { values, problem }: TableRow): Row | RejectedRow {
    const parts: string[] = [];
    let fault = problem;
    for (const [index, column] of chosen.entries()) {
      if (column.isSkipped) continue;
      const json = values[index] ?? 'null';
      const typed = column.type === undefined ? json : typedValue(json, column.type);
      fault ??= faultOf(column, json, typed, limits.maxCellLength);
      parts.push(`${keys[index] ?? ''}${typed ?? json}`);
    }
    const json = `{${parts.join(',')}}`;
    if (json.length > limits.maxRowLength) {
      fault ??= `it has ${String(json.length)} characters; a record may have up to ${String(limits.maxRowLength)}.`;
    }
    if (fault === undefined) return { kind: 'row', line: 0, offset, json };
    // A value that cannot be stored is null here, which is no missing label.
    const fields = findFields((index) =>
      problem !== undefined && values[index]?.startsWith('"') !== true ? undefined : values[index],
    );
    return rejectRow(0, offset, fault, json, fields);
  }

  async function* rows(): AsyncGenerator<RowBatch> {
    const counter = createRowCounter(limits, fileName);
    const iterator = table.rows(isRead)[Symbol.iterator]();
    let offset = 0;
    let total = 0;
    for (;;) {
      const batch: (Row | RejectedRow)[] = [];
      let length = 0;
      let isDone = false;
      let fault: unknown;
      try {
        while (batch.length < batchRows && length < batchLength) {
          const next = iterator.next();
          if (next.done === true) {
            isDone = true;
            break;
          }
          length += next.value.values.reduce((sum, value) => sum + value.length, rowLength);
          batch.push(rowOf(offset++, next.value));
        }
      } catch (error) {
        fault = toFileError(error, fileName, format);
      }
      if (batch.length > 0) yield counter.count(batch);
      if (fault !== undefined) throw fault;
      if (isDone) return;
      total += length;
      if (total > maxLength) {
        throw new ExpansionError(
          fileName,
          0,
          `its rows have more than ${String(limits.maxExpansion)} times the size of the file, which files with data do not. Split the file.`,
        );
      }
    }
  }

  return {
    format,
    containers: [],
    sourceColumns: names,
    columns: storedColumns(chosen, (index) => chosen[index]?.type ?? table.columns[index]?.type ?? 'json'),
    rows,
  };
}

function faultOf(
  { name, type }: ChosenColumn,
  json: string,
  typed: string | undefined,
  maxLength: number,
): string | undefined {
  if (typed === undefined) return `${excerpt(name)} must be of type ${String(type)}, got ${excerpt(json)}.`;
  if (json.length <= maxLength) return undefined;
  return `${excerpt(name)} is longer than ${String(maxLength)} characters.`;
}
