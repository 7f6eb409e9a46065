import type { ColumnType } from '../file-format.ts';
import { quoteText } from '../rows/quote-text.ts';
import { isDate, isTimestamp } from './timestamps.ts';

/**
 * Matches numbers whose text is also a JSON number: without leading zeros, plus sign, spaces or separators. An exponent
 * needs a sign, because "12e45" is more often a code than a number.
 */
const canonicalNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-][0-9]+)?$/;

export const isCanonicalNumber = (text: string): boolean => canonicalNumber.test(text);

const integer = /^[+-]?[0-9]+$/;
const decimal = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const booleans: Readonly<Record<string, string>> = {
  true: 'true',
  t: 'true',
  yes: 'true',
  y: 'true',
  '1': 'true',
  false: 'false',
  f: 'false',
  no: 'false',
  n: 'false',
  '0': 'false',
};

/** Converts a text to JSON of the requested type; undefined if it is not of that type. */
export function typedJson(text: string, type: ColumnType): string | undefined {
  switch (type) {
    case 'text':
      return quoteText(text);
    case 'integer':
      return integer.test(text.trim()) ? jsonNumber(text.trim()) : undefined;
    case 'number':
      return decimal.test(text.trim()) ? jsonNumber(text.trim()) : undefined;
    case 'boolean':
      return booleans[text.trim().toLowerCase()];
    case 'date':
      return isDate(text.trim()) ? quoteText(text.trim()) : undefined;
    case 'timestamp':
      return isTimestamp(text.trim()) ? quoteText(text.trim()) : undefined;
    case 'json':
      return jsonOf(text);
  }
}

/** Converts a number to a JSON number: keeps its digits, and removes a plus sign, leading zeros and a final point. */
function jsonNumber(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = ''] =
    /^([+-]?)0*([0-9]*)(\.[0-9]*)?([eE].*)?$/.exec(text) ?? [];
  const digits = whole === '' ? '0' : whole;
  return `${sign === '-' ? '-' : ''}${digits}${fraction === '.' ? '' : fraction}${exponent}`;
}

/** Returns the text itself if it is JSON, so that its numbers keep their digits. */
function jsonOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return text.trim();
  } catch {
    return undefined;
  }
}
