/** Rows of cells, as an engine returned them. */
export type ResultRows = readonly (readonly unknown[])[];

/** Doubles of other engines may differ in the last digits from the exact decimals of Redoubt. */
const tolerance = 1e-9;

/**
 * Compares two results row by row and cell by cell. Fractional numbers may differ by one part in a billion, timestamps
 * may be written differently, and a cell that is an object is a record.
 * @returns the first difference; undefined if the results are equal
 */
export function difference(one: ResultRows, other: ResultRows): string | undefined {
  if (one.length !== other.length) return `${one.length} rows and ${other.length} rows`;
  for (const [at, row] of one.entries()) {
    const cells = other[at] ?? [];
    const isSame = row.length === cells.length && row.every((cell, column) => sameCell(cell, cells[column]));
    if (!isSame) return `row ${at + 1} is ${JSON.stringify(row)} and ${JSON.stringify(cells)}`;
  }
  return undefined;
}

function sameCell(one: unknown, other: unknown): boolean {
  const [a, b] = [plain(one), plain(other)];
  if (a === b) return true;
  const isNumber = /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i;
  if (!isNumber.test(a) || !isNumber.test(b)) return false;
  if (/^-?\d+$/.test(a) && /^-?\d+$/.test(b)) return false;
  return Math.abs(Number(a) - Number(b)) <= tolerance * Math.abs(Number(b));
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);

/**
 * Converts a cell to comparable text: timestamps lose their zone and a zero fraction, and at midnight also the time.
 */
function plain(cell: unknown): string {
  if (typeof cell === 'object' && cell !== null) return JSON.stringify(Object.entries(cell).toSorted(byName));
  const text = String(cell);
  const timestamp = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.0+)?Z?$/.exec(text);
  if (timestamp === null) return text;
  return timestamp[2] === '00:00:00' ? (timestamp[1] ?? '') : `${timestamp[1] ?? ''} ${timestamp[2] ?? ''}`;
}
