import { recordIdColumn } from '../columns/choose-columns.ts';
import type { ColumnOption, FileOptions } from '../file-format.ts';
import { excerpt } from '../rows/excerpt.ts';
import { typedValue } from '../rows/column-values.ts';
import { createLabelFieldFinder } from '../rows/label-fields.ts';
import { quoteText } from '../rows/quote-text.ts';
import { readMembers } from './read-members.ts';

/** How the options for columns change records. Each record is the JSON of an object. */
export interface RecordChange {
  apply(json: string, hasRecordId: boolean): { json: string; hasRecordId: boolean } | { problem: string };
  /** The label fields of a record that is rejected, as they would be stored. */
  labelFields(json: string): string | undefined;
}

/** Renames, skips and types the keys at the top of records. Without options records stay as they are. */
export function createRecordChange(options: Pick<FileOptions, 'columns' | 'labelFields'>): RecordChange {
  return { apply: createColumnChange(options.columns ?? []), labelFields: createLabelFieldFinder(options) };
}

function createColumnChange(options: readonly ColumnOption[]): RecordChange['apply'] {
  if (options.length === 0) return (json, hasRecordId) => ({ json, hasRecordId });
  const byName = new Map(options.map((option) => [option.name, option]));
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
