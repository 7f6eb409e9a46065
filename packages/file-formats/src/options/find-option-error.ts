import { describeValue, type Mismatch } from '@redoubt/errors';
import { columnTypes, type ColumnOption, type FileOptions } from '../file-format.ts';
import { registeredFormats } from '../registered-formats.ts';
import { encodingNamed } from '../text/encoding-names.ts';

/** Finds the first invalid option, without reading the file. */
export function findOptionError({
  format,
  encoding,
  delimiter,
  quote,
  escape,
  columns,
}: Omit<FileOptions, 'fileName'>): Mismatch | undefined {
  if (format !== undefined && !registeredFormats.some(({ name }) => name === format)) {
    return {
      field: 'format',
      expected: `one of ${registeredFormats.map(({ name }) => name).join(', ')}`,
      got: describeValue(format),
      advice: 'Send one of these, or leave it out.',
    };
  }
  if (encoding !== undefined && encodingNamed(encoding) === undefined) {
    return {
      field: 'encoding',
      expected: 'the name of a supported encoding',
      got: describeValue(encoding),
      advice: 'Send a name such as "utf-8" or "windows-1252".',
    };
  }
  return findDialectError({ delimiter, quote, escape }) ?? findColumnError(columns ?? []);
}

function findDialectError({
  delimiter,
  quote,
  escape,
}: Record<'delimiter' | 'quote' | 'escape', string | undefined>): Mismatch | undefined {
  if (delimiter !== undefined && (delimiter.length !== 1 || /[\r\n]/.test(delimiter))) {
    return {
      field: 'delimiter',
      expected: 'one character that ends no line',
      got: describeValue(delimiter),
      advice: 'Send the character between two cells, such as ";".',
    };
  }
  if (quote !== undefined && (quote.length > 1 || /[\r\n]/.test(quote))) {
    return {
      field: 'quote',
      expected: 'one character that ends no line, or "" for none',
      got: describeValue(quote),
      advice: 'Send the character around cells.',
    };
  }
  if (escape !== undefined && escape !== '' && escape !== '\\') {
    return {
      field: 'escape',
      expected: 'a backslash, or "" for none',
      got: describeValue(escape),
      advice: 'Send "" if quotes inside quoted cells are written twice.',
    };
  }
  if (escape === '\\' && (delimiter === escape || quote === escape)) {
    return {
      field: 'escape',
      expected: 'another character than delimiter and quote',
      got: describeValue(escape),
      advice: 'Send "" if quotes inside quoted cells are written twice.',
    };
  }
  if (delimiter !== undefined && delimiter === quote) {
    return {
      field: 'quote',
      expected: 'another character than delimiter',
      got: `${describeValue(quote)} for both`,
      advice: 'Send "" if cells are not quoted.',
    };
  }
  return undefined;
}

function findColumnError(columns: readonly ColumnOption[]): Mismatch | undefined {
  const names = new Set<string>();
  /** The columns by the names that options give them. */
  const stored = new Map<string, string>();
  for (const [index, { name, type, rename, skip }] of columns.entries()) {
    const fieldOf = (option: string): string => `columns.${String(index)}.${option}`;
    if (names.has(name)) {
      return {
        field: fieldOf('name'),
        expected: 'named once in columns',
        got: `${describeValue(name)} twice`,
        advice: 'Put all options of a column into one entry.',
      };
    }
    names.add(name);
    if (type !== undefined && !columnTypes.includes(type)) {
      return {
        field: fieldOf('type'),
        expected: `one of ${columnTypes.join(', ')}`,
        got: describeValue(type),
        advice: 'Send one of these, or leave it out.',
      };
    }
    if (skip === true) continue;
    const target = rename ?? name;
    if (target.startsWith(ownPrefix)) {
      return {
        field: fieldOf(rename === undefined ? 'name' : 'rename'),
        expected: `a name that does not begin with "${ownPrefix}"`,
        got: describeValue(target),
        advice: 'Rename or skip the column.',
      };
    }
    const other = stored.get(target);
    if (other !== undefined) {
      return {
        field: fieldOf('rename'),
        expected: 'another name than that of other columns',
        got: `${describeValue(target)}, under which ${describeValue(other)} is stored`,
        advice: 'Choose another name.',
      };
    }
    stored.set(target, name);
  }
  return undefined;
}

/** Fields of the platform; records cannot set them. */
const ownPrefix = '_koverse_';
