import readWorkbook from 'read-excel-file/node';
import { chooseColumns, storedColumns, type ChosenColumn } from '../columns/choose-columns.ts';
import type { ArchiveFiles } from '../archives/archive-file.ts';
import { looksLikeHeader } from '../csv/detect-header.ts';
import type { OpenedFile, RejectedRow, Row, RowBatch } from '../file-format.ts';
import { FileParseError } from '../file-parse-error.ts';
import type { OpenContext } from '../open-context.ts';
import { typedValue } from '../rows/column-values.ts';
import { createLabelCellFinder } from '../rows/label-fields.ts';
import { excerpt } from '../rows/excerpt.ts';
import { quoteText } from '../rows/quote-text.ts';
import { rejectRow } from '../rows/reject-row.ts';
import { createRowCounter } from '../rows/row-counter.ts';
import { cellJson, cellText, NumberText, type ExcelCell } from './cell-json.ts';
import { repackWorkbook } from './unpack-workbook.ts';

interface Sheet {
  readonly name: string;
  /** The label fields of a rejected row. */
  readonly findFields: (cells: readonly ExcelCell[]) => string | undefined;
  /** The number of the header row, or of the first row if there is no header. */
  readonly start: number;
  readonly header: boolean;
  readonly columns: readonly ChosenColumn[];
  readonly cells: readonly (readonly ExcelCell[])[];
}

const batchRows = 1000;
/** The number of rows from which the header is detected. */
const sampledRows = 200;

/** Opens a workbook. Each sheet is a table with its own columns; the rows are those of all sheets. */
export async function openExcel(filesOf: ArchiveFiles, context: OpenContext): Promise<OpenedFile> {
  const { limits, options } = context;
  const { fileName } = options;
  const pass = context.newPass(true);
  const bytes = await repackWorkbook(filesOf(pass), pass, limits, fileName);
  const sheets = (await readSheets(bytes, fileName))
    .map(({ sheet, data }) => toSheet(sheet, data, context))
    .filter(({ cells }) => cells.length > 0);

  async function* rows(): AsyncGenerator<RowBatch> {
    const counter = createRowCounter(limits, fileName);
    let offset = 0;
    for (const sheet of sheets) {
      let batch: (Row | RejectedRow)[] = [];
      for (const [index, cells] of sheet.cells.entries()) {
        if (index < sheet.start + (sheet.header ? 1 : 0) || isEmpty(cells)) continue;
        batch.push(rowOf(sheet, cells, index + 1, offset++, limits.maxCellLength));
        if (batch.length < batchRows) continue;
        yield counter.count(batch);
        batch = [];
      }
      if (batch.length > 0) yield counter.count(batch);
    }
  }

  const columns = sheets[0]?.columns ?? [];
  return {
    format: 'excel',
    containers: [],
    columns: storedColumns(columns, (index) => columns[index]?.type ?? 'json'),
    sourceColumns: columns.map(({ source }) => source),
    rows,
  };
}

const isEmpty = (cells: readonly ExcelCell[]): boolean => cells.every((cell) => cell === null);

async function readSheets(
  bytes: Buffer,
  fileName: string,
): Promise<{ sheet: string; data: ExcelCell[][] }[]> {
  try {
    const sheets = await readWorkbook(bytes, {
      trim: false,
      parseNumber: (text: string) => new NumberText(text),
    });
    return sheets as unknown as { sheet: string; data: ExcelCell[][] }[];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new FileParseError(
      fileName,
      0,
      `the workbook cannot be read (${reason}). Save it again as .xlsx, or as CSV.`,
    );
  }
}

function toSheet(
  name: string,
  cells: readonly (readonly ExcelCell[])[],
  { options, limits }: OpenContext,
): Sheet {
  const { fileName } = options;
  const start = cells.findIndex((row) => !isEmpty(row));
  const first = cells[start];
  if (first === undefined)
    return { name, findFields: () => undefined, start: 0, header: false, columns: [], cells: [] };
  if (first.length > limits.maxColumns) {
    throw new FileParseError(
      fileName,
      start + 1,
      `the sheet ${excerpt(name)} has ${String(first.length)} columns; a table may have up to ${String(limits.maxColumns)}.`,
    );
  }
  const sample = cells
    .slice(start, start + sampledRows)
    .filter((row) => !isEmpty(row))
    .map((row) => ({ cells: row.map(cellText), quoted: undefined }));
  const header = options.header ?? looksLikeHeader(sample);
  const names = first.map((cell, index) => (header ? cellText(cell) : `column_${String(index + 1)}`));
  const columns = chooseColumns(names, options, start + 1, name);
  const find = createLabelCellFinder(columns, options.labelFields);
  return {
    name,
    findFields: (row) => find((index) => cellJson(row[index] ?? null)),
    start,
    header,
    columns,
    cells,
  };
}

function rowOf(
  { name, columns, findFields }: Sheet,
  cells: readonly ExcelCell[],
  line: number,
  offset: number,
  maxCellLength: number,
): Row | RejectedRow {
  const reject = (reason: string): RejectedRow => ({
    ...rejectRow(line, offset, reason, cells.map(cellText).join('\t'), findFields(cells)),
    file: name,
  });
  const parts: string[] = [];
  for (const [index, column] of columns.entries()) {
    if (column.isSkipped) continue;
    const json = cellJson(cells[index] ?? null);
    if (json.length > maxCellLength)
      return reject(`its cell ${String(index + 1)} is longer than ${String(maxCellLength)} characters.`);
    const typed = column.type === undefined ? json : typedValue(json, column.type);
    if (typed === undefined) {
      return reject(
        `${excerpt(column.name)} must be of type ${String(column.type)}, got ${excerpt(cellText(cells[index] ?? null))}.`,
      );
    }
    parts.push(`${quoteText(column.name)}:${typed}`);
  }
  return { kind: 'row', line, offset, json: `{${parts.join(',')}}`, file: name };
}
