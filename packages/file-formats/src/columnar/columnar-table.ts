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

/** A column of a file, with its index. */
export interface TableColumn {
  readonly name: string;
  readonly type: Column['type'];
}

/** A row of a file: its values as JSON, or the reason why it cannot be stored. */
export interface TableRow {
  /** One value for each column. The values of skipped columns may be empty texts. */
  readonly values: readonly string[];
  readonly problem?: string | undefined;
}

/** A file of typed columns. */
export interface ColumnarTable {
  readonly columns: readonly TableColumn[];
  /**
   * Reads the rows from the first on.
   * @param isRead which columns are stored
   */
  rows(isRead: readonly boolean[]): Iterable<TableRow>;
}

/** The limits that readers of columnar files check themselves. */
export interface TableLimits {
  /** The maximum nesting depth of lists, structs and maps. */
  readonly maxNesting: number;
}

const batchRows = 1000;
/** The maximum characters of a batch. */
const batchLength = 2_000_000;
/** Each row counts as this many characters more than its values have. */
const rowLength = 10;
/**
 * Up to this many characters of values, the limit of expansion does not apply: runs of equal values take almost no
 * bytes.
 */
const freeLength = 1_000_000_000;

/** Reads the rows of a table, with the column names and limits of the request. */
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
    let message = problem;
    for (const [index, column] of chosen.entries()) {
      if (column.isSkipped) continue;
      const json = values[index] ?? 'null';
      const typed = column.type === undefined ? json : typedValue(json, column.type);
      message ??= toError(column, json, typed, limits.maxCellLength);
      parts.push(`${keys[index] ?? ''}${typed ?? json}`);
    }
    const json = `{${parts.join(',')}}`;
    if (json.length > limits.maxRowLength) {
      message ??= `it has ${String(json.length)} characters; a record may have up to ${String(limits.maxRowLength)}.`;
    }
    if (message === undefined) return { kind: 'row', line: 0, offset, json };
    // Readers return null for a value that cannot be stored. It must not count as a missing label.
    const fields = findFields((index) =>
      problem !== undefined && values[index]?.startsWith('"') !== true ? undefined : values[index],
    );
    return rejectRow(0, offset, message, json, fields);
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
      let cause: unknown;
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
        cause = toFileError(error, fileName, format);
      }
      if (batch.length > 0) yield counter.count(batch);
      if (cause !== undefined) throw cause;
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

function toError(
  { name, type }: ChosenColumn,
  json: string,
  typed: string | undefined,
  maxLength: number,
): string | undefined {
  if (typed === undefined) return `${excerpt(name)} must be of type ${String(type)}, got ${excerpt(json)}.`;
  if (json.length <= maxLength) return undefined;
  return `${excerpt(name)} is longer than ${String(maxLength)} characters.`;
}
