import { isCanonicalNumber } from '../columns/typed-values.ts';
import { quoteText } from '../rows/quote-text.ts';

/** A number of a workbook as its text in the file, so that integers keep all digits. */
export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type ExcelCell = string | boolean | Date | NumberText | null;

/** Prints a cell as JSON. Dates are local times, because a workbook has no time zone. */
export function cellJson(cell: ExcelCell): string {
  if (cell === null) return 'null';
  if (typeof cell === 'string') return quoteText(cell);
  if (typeof cell === 'boolean') return String(cell);
  return cell instanceof NumberText ? numberJson(cell.text) : quoteText(dateText(cell));
}

/** Prints a cell as the name of a column. */
export const cellText = (cell: ExcelCell): string => {
  if (cell === null) return '';
  if (cell instanceof NumberText) return numberJson(cell.text);
  return cell instanceof Date ? dateText(cell) : String(cell);
};

/**
 * Prints a number of a workbook as JSON. Excel stores doubles and may write more digits than they need, so these are
 * printed again. Integers keep all digits, because other programs write integers that a double cannot hold.
 */
function numberJson(text: string): string {
  if (/^-?[0-9]+$/.test(text) && isCanonicalNumber(text)) return text;
  const number = Number(text);
  return Number.isFinite(number) ? JSON.stringify(number) : quoteText(text);
}

function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return '';
  const text = date.toISOString().replace(/(\.000)?Z$/, '');
  return text.endsWith('T00:00:00') ? text.slice(0, -'T00:00:00'.length) : text;
}
