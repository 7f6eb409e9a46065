import type { ChosenColumn } from '../columns/choose-columns.ts';
import type { FileOptions } from '../file-format.ts';
import { createJsonScanner } from '../json/json-scanner.ts';
import { readMembers } from '../json/read-members.ts';
import { quoteText } from './quote-text.ts';

/** Characters of a value; no label is longer. */
const maxLength = 100_000;
/** Halves of characters stand for bytes that are no text. */
const halfCharacter = /\\ud[89a-f]|[\ud800-\udfff]/iu;

/** The keys at the top of a record that label fields are in: a dotted name is a key, or a path into the key at its start. */
const keysOf = (labelFields: readonly string[] = []): ReadonlySet<string> =>
  new Set(labelFields.flatMap((field) => [field, field.split('.')[0] ?? field]));

/** The object that these members make; undefined when a label cannot be told from it for sure. */
function toObject(members: readonly { readonly name: string; readonly value: string }[]): string | undefined {
  if (members.some(({ value }) => value.length > maxLength || halfCharacter.test(value))) return undefined;
  const json = `{${members.map(({ name, value }) => `${quoteText(name)}:${value}`).join(',')}}`;
  const scanner = createJsonScanner('');
  scanner.scan(json, 0, true);
  return scanner.value.duplicateKey === undefined ? json : undefined;
}

/** Finds the label fields of a record that is rejected, as they would be stored. The record must be an object of valid JSON. */
export function createLabelFieldFinder(
  options: Pick<FileOptions, 'columns' | 'labelFields'>,
): (json: string) => string | undefined {
  const keys = keysOf(options.labelFields);
  const byName = new Map(options.columns?.map((option) => [option.name, option]));
  return (json) => {
    if (keys.size === 0) return undefined;
    const members = readMembers(json)
      .filter(({ key }) => byName.get(key)?.skip !== true)
      .map(({ key, value }) => ({ name: byName.get(key)?.rename ?? key, value }));
    return toObject(members.filter(({ name }) => keys.has(name)));
  };
}

/**
 * Finds the label fields of a rejected row of a table.
 * @returns a function that gets the JSON of a cell by the place of its column, undefined where it is not clear
 */
export function createLabelCellFinder(
  columns: readonly ChosenColumn[],
  labelFields: readonly string[] | undefined,
): (cellJson: (index: number) => string | undefined) => string | undefined {
  const keys = keysOf(labelFields);
  const wanted = columns.flatMap(({ name, isSkipped }, index) =>
    !isSkipped && keys.has(name) ? [{ name, index }] : [],
  );
  return (cellJson) => {
    if (keys.size === 0) return undefined;
    const members = wanted.flatMap(({ name, index }) => {
      const value = cellJson(index);
      return value === undefined ? [] : [{ name, value }];
    });
    return members.length < wanted.length ? undefined : toObject(members);
  };
}
