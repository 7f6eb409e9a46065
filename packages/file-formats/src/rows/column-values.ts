import type { ColumnType } from '../file-format.ts';
import { typedJson } from '../columns/typed-values.ts';
import { quoteText } from './quote-text.ts';

/** Converts a JSON value to the requested type; undefined if it is not of that type. Null is of every type. */
export function typedValue(value: string, type: ColumnType): string | undefined {
  if (value === 'null' || type === 'json') return value;
  if (value.startsWith('"')) return typedJson(JSON.parse(value) as string, type);
  if (type === 'text') return quoteText(value);
  return /^[[{]/.test(value) ? undefined : typedJson(value, type);
}
