import type { ChosenColumn } from '../columns/choose-columns.ts';
import type { FileOptions } from '../file-format.ts';
import { createJsonScanner } from '../json/json-scanner.ts';
import { readMembers } from '../json/read-members.ts';
import { quoteText } from './quote-text.ts';

/** The maximum characters of a value. No label is longer. */
const maxLength = 100_000;
/** Matches lone surrogates, which stand for bytes that are not text in the encoding. */
const halfCharacter = /\\ud[89a-f]|[\ud800-\udfff]/iu;

/** The top-level keys that contain label fields. A name with dots is a key, or a path that starts with a key. */
const keysOf = (labelFields: readonly string[] = []): ReadonlySet<string> =>
  new Set(labelFields.flatMap((field) => [field, field.split('.')[0] ?? field]));

/**
 * Prints the object with these members; undefined if a value has invalid bytes or is too long, or if a key occurs
 * twice.
 */
function toObject(members: readonly { readonly name: string; readonly value: string }[]): string | undefined {
  if (members.some(({ value }) => value.length > maxLength || halfCharacter.test(value))) return undefined;
  const json = `{${members.map(({ name, value }) => `${quoteText(name)}:${value}`).join(',')}}`;
  const scanner = createJsonScanner('');
  scanner.scan(json, 0, true);
  return scanner.value.duplicateKey === undefined ? json : undefined;
}

/**
 * Creates a function that finds the label fields of a rejected record, as they would be stored. The record must be
 * valid JSON of an object.
 */
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
 * Creates a function that finds the label fields of a rejected row of a table. Its argument returns the JSON of a cell
 * by the index of its column, or undefined if the value of the cell is not certain.
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
