import { skipString, skipValue, type ByteCursor } from './byte-cursor.ts';

const comma = 0x2c;
const closeBrace = 0x7d;
const quote = 0x22;
/** Replaces a value that does not fit. Values of at most this length are never replaced. */
const nothing = 'null';

/** A record as cells of a table. */
export interface CutCells {
  /** A JSON object of the chosen fields that the record has. Values that were not cut have their exact text. */
  cells: string;
  /** The fields whose value was cut: to the start of its text, or of its JSON for other values, or to null. */
  cut: string[];
}

/** The first characters of a value that is too long for a cell. */
function beginningOf(value: string, isText: boolean, maxCharacters: number): string {
  const text = isText ? (JSON.parse(value) as string) : value;
  return text.slice(0, maxCharacters).toWellFormed();
}

/**
 * Selects the fields of a record for the cells of a table, and cuts long values.
 * @param record JSON without white space between tokens
 * @param fields the fields to take; all if undefined
 * @param maxCharacters the maximum length of a value: of the text in its quotes, or of the JSON of other values
 * @param maxBytes the budget for all cells; a value that no longer fits becomes null, and its field is in `cut`
 */
export function cutCells(
  record: Buffer,
  fields: ReadonlySet<string> | undefined,
  maxCharacters: number,
  maxBytes = Infinity,
): CutCells {
  const cursor: ByteCursor = { bytes: record, at: 1, hasEscapes: false };
  const members: string[] = [];
  const cut: string[] = [];
  let bytes = 0;
  while (record[cursor.at] !== closeBrace) {
    const keyFrom = cursor.at;
    skipString(cursor);
    const keyText = record.toString('utf8', keyFrom, cursor.at);
    const key = JSON.parse(keyText) as string;
    const from = ++cursor.at;
    skipValue(cursor);
    if (fields === undefined || fields.has(key)) {
      const value = record.toString('utf8', from, cursor.at);
      const isText = record[from] === quote;
      const isCut = value.length > maxCharacters + (isText ? 2 : 0);
      const shown = isCut ? JSON.stringify(beginningOf(value, isText, maxCharacters)) : value;
      const whole = `${keyText}:${shown}`;
      const isLost = shown.length > nothing.length && bytes + Buffer.byteLength(whole) + 1 > maxBytes;
      const member = isLost ? `${keyText}:${nothing}` : whole;
      bytes += Buffer.byteLength(member) + 1;
      if (isCut || isLost) cut.push(key);
      members.push(member);
    }
    if (record[cursor.at] === comma) cursor.at++;
  }
  return { cells: `{${members.join(',')}}`, cut };
}
