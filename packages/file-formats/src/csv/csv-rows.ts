import type { ChosenColumn } from '../columns/choose-columns.ts';
import { isCanonicalNumber, typedJson } from '../columns/typed-values.ts';
import type { RejectedRow, Row, RowBatch } from '../file-format.ts';
import type { FileLimits } from '../file-limits.ts';
import { FileParseError } from '../file-parse-error.ts';
import { createLabelCellFinder } from '../rows/label-fields.ts';
import { excerpt } from '../rows/excerpt.ts';
import { quoteText } from '../rows/quote-text.ts';
import { rejectRow } from '../rows/reject-row.ts';
import type { TextSource } from '../text/open-text.ts';
import type { PlacedRecord } from './csv-reader.ts';
import type { InferredTypes } from './infer-types.ts';
import { isBlank, type CsvSample } from './sniff-dialect.ts';

export interface RowBuilderOptions {
  sample: CsvSample;
  columns: readonly ChosenColumn[];
  types: InferredTypes;
  limits: FileLimits;
  fileName: string;
  text: TextSource;
  labelFields: readonly string[] | undefined;
}

/**
 * Thrown and caught here for a cell that is not of the requested type. The message is the reason of the rejected row.
 */
class CellError extends Error {}

type CellPrinter = (cell: string, isQuoted: boolean) => string;

/** Converts records to rows. */
export function createRowBuilder({
  sample,
  columns,
  types,
  limits,
  fileName,
  text,
  labelFields,
}: RowBuilderOptions): {
  add(placed: PlacedRecord): void;
  take(): RowBatch;
} {
  const width = columns.length;
  const keys = columns.map(({ name }) => `${JSON.stringify(name)}:`);
  const printers = columns.map((column, index) => printerOf(column, types, index));
  const findFields = createLabelCellFinder(columns, labelFields);
  let batch: (Row | RejectedRow)[] = [];
  let toSkip = sample.skip;
  let isHeaderDue = sample.dialect.header;
  let count = 0;

  function jsonOf(cells: readonly string[], quoted: readonly boolean[] | undefined): string {
    let json = '';
    for (let index = 0; index < width; index++) {
      const printer = printers[index];
      if (printer === undefined) continue;
      const cell = cells[index] ?? '';
      const isQuoted = quoted?.[index] === true;
      json += `${json === '' ? '{' : ','}${keys[index] ?? ''}${cell === '' && !isQuoted ? 'null' : printer(cell, isQuoted)}`;
    }
    return json === '' ? '{}' : `${json}}`;
  }

  function problemOf({
    record: { cells, problem },
    hasInvalid,
    text: rowText,
  }: PlacedRecord): string | undefined {
    if (problem !== undefined) return problem;
    if (hasInvalid) {
      const invalid = text.invalidText(rowText());
      if (invalid !== undefined) return invalid;
    }
    if (cells.length !== width) return widthProblem(cells.length, width);
    const long = cells.findIndex((cell) => cell.length > limits.maxCellLength);
    return long < 0
      ? undefined
      : `its cell ${String(long + 1)} has ${String(cells[long]?.length)} characters; a cell may have up to ${String(limits.maxCellLength)}.`;
  }

  /** Returns the label fields of a rejected record; undefined if its cells cannot be assigned to columns. */
  function fieldsOf({ cells, quoted, problem }: PlacedRecord['record']): string | undefined {
    if (problem !== undefined || cells.length !== width) return undefined;
    return findFields((index) => {
      const cell = cells[index] ?? '';
      const isQuoted = quoted?.[index] === true;
      try {
        return cell === '' && !isQuoted ? 'null' : printers[index]?.(cell, isQuoted);
      } catch (fault) {
        if (fault instanceof CellError) return undefined;
        throw fault;
      }
    });
  }

  function read(placed: PlacedRecord): Row | RejectedRow {
    const { line, offset, record } = placed;
    const problem = problemOf(placed);
    if (problem !== undefined) return rejectRow(line, offset, problem, placed.text(), fieldsOf(record));
    try {
      return { kind: 'row', line, offset, json: jsonOf(record.cells, record.quoted) };
    } catch (error) {
      if (!(error instanceof CellError)) throw error;
      return rejectRow(line, offset, error.message, placed.text(), fieldsOf(record));
    }
  }

  return {
    add(placed) {
      const { cells, quoted, problem } = placed.record;
      if (toSkip > 0) {
        toSkip--;
        return;
      }
      if (problem === undefined && isBlank(cells, quoted) && (width !== 1 || isHeaderDue)) return;
      if (isHeaderDue && problem === undefined) {
        isHeaderDue = false;
        return;
      }
      if (++count > limits.maxRows) {
        throw new FileParseError(
          fileName,
          placed.line,
          `it has more than ${String(limits.maxRows)} rows. Split the file.`,
        );
      }
      batch.push(read(placed));
    },
    take() {
      const full = batch;
      batch = [];
      return full;
    },
  };
}

const widthProblem = (count: number, width: number): string =>
  `it has ${String(count)} ${count === 1 ? 'cell' : 'cells'} where the table has ${String(width)} ${width === 1 ? 'column' : 'columns'}.`;

/** Prints the cells of a column; undefined if the column is skipped. */
function printerOf(column: ChosenColumn, types: InferredTypes, index: number): CellPrinter | undefined {
  const { type, name, isSkipped } = column;
  if (isSkipped) return undefined;
  if (type !== undefined && type !== 'text') {
    return (cell) => {
      if (cell === '') return 'null';
      const json = typedJson(cell, type);
      if (json === undefined)
        throw new CellError(`${excerpt(name)} must be of type ${type}, got ${excerpt(cell)}.`);
      return json;
    };
  }
  if (type === undefined && types.isNumber[index] === true) {
    return types.isAllQuoted
      ? (cell) => (isCanonicalNumber(cell) ? cell : quoteText(cell))
      : (cell, isQuoted) => (!isQuoted && isCanonicalNumber(cell) ? cell : quoteText(cell));
  }
  return quoteText;
}
