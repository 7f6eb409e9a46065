import type { Column, ColumnOption, ColumnType, FileOptions, RequiredColumn } from '../file-format.ts';
import { FileParseError } from '../file-parse-error.ts';
import { excerpt } from '../rows/excerpt.ts';

/** The key with which a row would replace a stored record. */
export const recordIdColumn = '_koverse_record_id';

/** A column of the file, and the name that it is stored under. Skipped columns are not stored. */
export interface ChosenColumn {
  readonly source: string;
  readonly name: string;
  readonly type: ColumnType | undefined;
  readonly isSkipped: boolean;
}

/**
 * Names and types of a table's columns. Columns without a name in the file are called by their number, and repeated names
 * get a number, so that each cell has a key of its own.
 * @param sheet the name of the sheet, for the message
 * @throws FileParseError when the columns cannot be stored, or a required one is missing
 */
export function chooseColumns(
  header: readonly string[],
  { fileName, columns: options = [], requiredColumns = [] }: FileOptions,
  line: number,
  sheet?: string,
): ChosenColumn[] {
  const names = distinctNames(header);
  checkOptions(names, options, fileName);
  const chosen = names.map((source): ChosenColumn => {
    const option = options.find(({ name }) => name === source);
    return {
      source,
      name: option?.rename ?? source,
      type: option?.type,
      isSkipped: option?.skip === true,
    };
  });
  const stored = chosen.filter(({ isSkipped }) => !isSkipped).map(({ name }) => name);
  refuseRecordIds(stored, fileName, line);
  const twice = stored.find((name, index) => stored.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new FileParseError(
      fileName,
      line,
      `two columns would be stored as ${excerpt(twice)}. Give each column another name in "columns".`,
    );
  }
  requireColumns(stored, requiredColumns, fileName, sheet);
  return chosen;
}

/** The columns that are stored. */
export const storedColumns = (
  chosen: readonly ChosenColumn[],
  typeOf: (index: number) => Column['type'],
): Column[] =>
  chosen.flatMap(({ name, isSkipped }, index) => (isSkipped ? [] : [{ name, type: typeOf(index) }]));

/** @throws FileParseError when rows of the file would replace records */
function refuseRecordIds(names: readonly string[], fileName: string, line: number): void {
  if (!names.includes(recordIdColumn)) return;
  throw new FileParseError(
    fileName,
    line,
    `it has a column "${recordIdColumn}", and rows of files cannot replace records. Skip or rename the column in "columns".`,
  );
}

/** @throws FileParseError when a column is missing: a misspelt name would leave rows without their label */
function requireColumns(
  names: readonly string[],
  required: readonly RequiredColumn[],
  fileName: string,
  sheet: string | undefined,
): void {
  const missing = required.find(({ name }) => !names.includes(name));
  if (missing === undefined) return;
  throw new FileParseError(
    fileName,
    0,
    `${sheet === undefined ? 'it' : `the sheet ${excerpt(sheet)}`} has no column ${excerpt(missing.name)}, which ${missing.namedBy} names. Its columns are ${listed(names)}.`,
  );
}

const listed = (names: readonly string[]): string =>
  `${names.slice(0, 20).map(excerpt).join(', ')}${names.length > 20 ? ', …' : ''}`;

function checkOptions(names: readonly string[], options: readonly ColumnOption[], fileName: string): void {
  const unknown = options.find(({ name }) => !names.includes(name));
  if (unknown !== undefined) {
    throw new FileParseError(
      fileName,
      0,
      `"columns" names ${excerpt(unknown.name)}, which is no column of the file. It has ${listed(names)}.`,
    );
  }
}

/** Makes names unique: a repeated name gets a number, and a missing one is the number of its column. */
export function distinctNames(header: readonly string[]): string[] {
  const taken = new Set(header.filter((text) => text.trim() !== ''));
  const used = new Set<string>();
  const counts = new Map<string, number>();

  function numbered(wanted: string): string {
    let count = counts.get(wanted) ?? 1;
    let name: string;
    do name = `${wanted}_${String(++count)}`;
    while (taken.has(name) || used.has(name));
    counts.set(wanted, count);
    return name;
  }

  return header.map((text, index) => {
    const isUnnamed = text.trim() === '';
    const wanted = isUnnamed ? `column_${String(index + 1)}` : text;
    const name = used.has(wanted) || (isUnnamed && taken.has(wanted)) ? numbered(wanted) : wanted;
    used.add(name);
    return name;
  });
}
