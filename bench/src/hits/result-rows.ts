/** Rows of cells, as an engine gave them. */
export type ResultRows = readonly (readonly unknown[])[];

/** Doubles of other engines may differ in the last digits from the exact decimals of ours. */
const tolerance = 1e-9;

/**
 * Why two answers differ, or undefined where they are the same: row by row, cell by cell. Numbers with digits after the point
 * are equal up to one in a thousand million, moments however they are written; a cell that is an object is one record.
 */
export function difference(one: ResultRows, other: ResultRows): string | undefined {
  if (one.length !== other.length) return `${one.length} rows and ${other.length} rows`;
  for (const [at, row] of one.entries()) {
    const cells = other[at] ?? [];
    const same = row.length === cells.length && row.every((cell, column) => sameCell(cell, cells[column]));
    if (!same) return `row ${at + 1} is ${JSON.stringify(row)} and ${JSON.stringify(cells)}`;
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

/** A cell as text: moments without a zone, midnight and a fraction of zeros as the day alone. */
function plain(cell: unknown): string {
  if (typeof cell === 'object' && cell !== null) return JSON.stringify(Object.entries(cell).toSorted(byName));
  const text = String(cell);
  const moment = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.0+)?Z?$/.exec(text);
  if (moment === null) return text;
  return moment[2] === '00:00:00' ? (moment[1] ?? '') : `${moment[1] ?? ''} ${moment[2] ?? ''}`;
}
