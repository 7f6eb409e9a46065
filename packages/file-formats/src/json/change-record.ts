import { recordIdColumn } from '../columns/choose-columns.ts';
import { typedJson } from '../columns/typed-values.ts';
import type { ColumnOption, ColumnType } from '../file-format.ts';
import { FileParseError } from '../file-parse-error.ts';
import { excerpt } from '../rows/excerpt.ts';
import { quoteText } from '../rows/quote-text.ts';
import type { RecordChange } from './json-rows.ts';
import { readMembers } from './read-members.ts';

/** Renames, skips and types the keys at the top of records. Without options records stay as they are. */
export function createRecordChange(options: readonly ColumnOption[], fileName: string): RecordChange {
  if (options.length === 0) return (json, hasRecordId) => ({ json, hasRecordId });
  const byName = new Map(options.map((option) => [option.name, option]));
  refuseSharedNames(options, fileName);
  return (json) => {
    const used = new Set<string>();
    const parts: string[] = [];
    for (const { key, value } of readMembers(json)) {
      const option = byName.get(key);
      if (option?.skip === true) continue;
      const name = option?.rename ?? key;
      if (used.has(name)) return { problem: `two of its values would be stored as ${excerpt(name)}.` };
      used.add(name);
      const typed = option?.type === undefined ? value : typedValue(value, option.type);
      if (typed === undefined) {
        return { problem: `${excerpt(key)} must be of type ${String(option?.type)}, got ${excerpt(value)}.` };
      }
      parts.push(`${quoteText(name)}:${typed}`);
    }
    return { json: `{${parts.join(',')}}`, hasRecordId: used.has(recordIdColumn) };
  };
}

/** A JSON value as the type, undefined when it is not of the type; null is of every type. */
function typedValue(value: string, type: ColumnType): string | undefined {
  if (value === 'null' || type === 'json') return value;
  if (value.startsWith('"')) return typedJson(JSON.parse(value) as string, type);
  if (type === 'text') return quoteText(value);
  return /^[[{]/.test(value) ? undefined : typedJson(value, type);
}

function refuseSharedNames(options: readonly ColumnOption[], fileName: string): void {
  const names = options.flatMap(({ rename, skip }) =>
    rename === undefined || skip === true ? [] : [rename],
  );
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new FileParseError(
    fileName,
    0,
    `"columns" renames two columns to ${excerpt(twice)}. Choose another name.`,
  );
}
