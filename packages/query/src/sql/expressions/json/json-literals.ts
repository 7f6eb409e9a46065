import { invalidSql } from '../../sql-compile-error.ts';

/**
 * A JSON constant in a statement. Strings and keys start with `s`. Numbers are texts that start with `n` and keep their
 * notation, because JavaScript numbers would lose digits.
 */
export type JsonLiteral =
  | string
  | boolean
  | null
  | readonly JsonLiteral[]
  | { readonly [key: string]: JsonLiteral };

const token = /"((?:[^"\\]|\\.)*)"|(-?[0-9][-+.0-9eE]*)/g;
const marked = /"s((?:[^"\\]|\\.)*)"|"n([-+.0-9eE]*)"/g;
/** Matches NUL and halves of surrogate pairs, as JSON.stringify escapes them. */
const noText = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** Whether a number exceeds PostgreSQL's limits: 131,072 digits before the point and 16,383 after it. */
function isTooLarge(written: string): boolean {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(written) ?? [];
  const power = Number(exponent);
  const digits = (whole + fraction).replace(/^0+/, '').length;
  const before = digits === 0 ? 0 : digits - fraction.length + power;
  return before > 131_072 || fraction.length - power > 16_383;
}

/**
 * Parses a JSON literal.
 * @throws SqlCompileError for invalid JSON, and for strings that PostgreSQL cannot store
 */
export function parseJson(text: string, at: number): JsonLiteral {
  let value: JsonLiteral;
  let fits = true;
  try {
    JSON.parse(text);
    value = JSON.parse(
      text.replaceAll(token, (_, string?: string, number = '') => {
        fits &&= !isTooLarge(number);
        return string === undefined ? `"n${number}"` : `"s${string}"`;
      }),
    ) as JsonLiteral;
  } catch {
    throw invalidSql(`invalid input syntax for type json: "${text}"`, at);
  }
  if (!fits) throw invalidSql('value overflows numeric format', at);
  if (noText.test(JSON.stringify(value))) throw invalidSql('unsupported Unicode escape sequence', at);
  return value;
}

/** Prints JSON on one line. Of duplicate keys the last counts, as in jsonb. */
export const printJsonLine = (value: JsonLiteral): string =>
  JSON.stringify(value).replaceAll(marked, (_, string?: string, number?: string) =>
    string === undefined ? String(number) : `"${string}"`,
  );
