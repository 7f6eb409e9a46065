import { quoteString } from '../../../storage/quoting.ts';
import type { Expression } from '../../expression.ts';
import { unsupportedSql } from '../../sql-compile-error.ts';
import { microsOf, microsPerDay, signed } from './timestamps.ts';

export const monthNames =
  'January February March April May June July August September October November December'.split(' ');
export const dayNames = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');

const listed = (names: readonly string[]): string => `[${names.map((name) => quoteString(name)).join(', ')}]`;
export const abbreviate = (names: readonly string[]): string[] => names.map((name) => name.slice(0, 3));
const upper = (names: readonly string[]): string[] => names.map((name) => name.toUpperCase());
const lower = (names: readonly string[]): string[] => names.map((name) => name.toLowerCase());

/** Prints one field of a pattern, for a timestamp that is not NULL. */
type Part = (timestamp: string) => { number: string; digits: number } | { text: string; width: number };

const number =
  (digits: number, write: (timestamp: string) => string): Part =>
  (timestamp) => ({ number: write(timestamp), digits });

const name =
  (names: readonly string[], index: (timestamp: string) => string, width: number): Part =>
  (timestamp) => ({ text: `${listed(names)}[${index(timestamp)}]`, width });

const micros = (timestamp: string): string => `positiveModulo(${microsOf(timestamp)}, 1000000)`;
const halfDay = (timestamp: string): string =>
  `if(positiveModulo(${microsOf(timestamp)}, ${signed(microsPerDay)}) < 43200000000, 1, 2)`;
const month = (timestamp: string): string => `toMonth(${timestamp})`;
const weekday = (timestamp: string): string => `toDayOfWeek(${timestamp})`;
const hour12 = number(2, (timestamp) => `((toHour(${timestamp}) + 11) % 12 + 1)`);

const longest = 9;

/** The supported fields. Longer names come first, so that "MONTH" is not parsed as "MON" and "TH". */
const parts: readonly (readonly [string, Part])[] = [
  ['HH24', number(2, (timestamp) => `toHour(${timestamp})`)],
  ['HH12', hour12],
  ['IYYY', number(4, (timestamp) => `toISOYear(${timestamp})`)],
  ['MONTH', name(upper(monthNames), month, longest)],
  ['Month', name(monthNames, month, longest)],
  ['month', name(lower(monthNames), month, longest)],
  ['YYYY', number(4, (timestamp) => `toYear(${timestamp})`)],
  ['DAY', name(upper(dayNames), weekday, longest)],
  ['Day', name(dayNames, weekday, longest)],
  ['day', name(lower(dayNames), weekday, longest)],
  ['DDD', number(3, (timestamp) => `toDayOfYear(${timestamp})`)],
  ['MON', name(upper(abbreviate(monthNames)), month, 0)],
  ['Mon', name(abbreviate(monthNames), month, 0)],
  ['mon', name(lower(abbreviate(monthNames)), month, 0)],
  ['AM', name(['AM', 'PM'], halfDay, 0)],
  ['PM', name(['AM', 'PM'], halfDay, 0)],
  ['am', name(['am', 'pm'], halfDay, 0)],
  ['pm', name(['am', 'pm'], halfDay, 0)],
  ['DD', number(2, (timestamp) => `toDayOfMonth(${timestamp})`)],
  ['DY', name(upper(abbreviate(dayNames)), weekday, 0)],
  ['Dy', name(abbreviate(dayNames), weekday, 0)],
  ['dy', name(lower(abbreviate(dayNames)), weekday, 0)],
  ['HH', hour12],
  ['ID', number(1, weekday)],
  ['IW', number(2, (timestamp) => `toISOWeek(${timestamp})`)],
  ['MI', number(2, (timestamp) => `toMinute(${timestamp})`)],
  ['MM', number(2, month)],
  ['MS', number(3, (timestamp) => `intDiv(${micros(timestamp)}, 1000)`)],
  ['SS', number(2, (timestamp) => `toSecond(${timestamp})`)],
  ['US', number(6, micros)],
  ['YY', number(2, (timestamp) => `(toYear(${timestamp}) % 100)`)],
  ['Q', number(1, (timestamp) => `toQuarter(${timestamp})`)],
  ['D', number(1, (timestamp) => `(${weekday(timestamp)} % 7 + 1)`)],
];

/** Fields of numbers ignore letter case. In fields of words, it determines the letter case of the output. */
const isWord = (key: string): boolean => /^(?:month|mon|day|dy|am|pm)$/i.test(key);

const partAt = (rest: string): readonly [string, Part] | undefined =>
  parts.find(([key]) => rest.startsWith(key) || (!isWord(key) && rest.toUpperCase().startsWith(key)));

/**
 * Compiles to_char of a timestamp that is not NULL, for a pattern of the supported fields.
 * @throws SqlCompileError for patterns with other letters, including PostgreSQL's suffixes
 */
export function compileToChar(timestamp: string, patternOf: Expression): string {
  const { literal, at } = patternOf;
  if (typeof literal !== 'string')
    throw unsupportedSql(
      'to_char with a pattern that is not a constant',
      at,
      'Write the pattern as a literal in quotes.',
    );
  const pieces: string[] = [];
  let rest = literal;
  while (rest !== '') {
    const quoted = /^"([^"\\]*)"/.exec(rest);
    if (quoted !== null) {
      pieces.push(quoteString(quoted[1] ?? ''));
      rest = rest.slice(quoted[0].length);
      continue;
    }
    const fill = !/^FM/i.test(rest);
    const found = partAt(fill ? rest : rest.slice(2));
    if (found !== undefined) {
      pieces.push(written(found[1](timestamp), fill));
      rest = rest.slice((fill ? 0 : 2) + found[0].length);
      if (/^(?:th|sp)/i.test(rest))
        throw unsupportedSql(
          `to_char with the pattern "${literal}"`,
          at,
          'Put text that is to stand as it is into double quotes, as in "at".',
        );
      continue;
    }
    const [character = ''] = rest;
    if (/[a-z"\\]/i.test(character))
      throw unsupportedSql(
        `to_char with the pattern "${literal}"`,
        at,
        'Put text that is to stand as it is into double quotes, as in "at".',
      );
    pieces.push(quoteString(character));
    rest = rest.slice(character.length);
  }
  return `concat('', ${pieces.length === 0 ? "''" : pieces.join(', ')})`;
}

function written(part: ReturnType<Part>, fill: boolean): string {
  if ('text' in part)
    return fill && part.width > 0 ? `rightPad(${part.text}, ${String(part.width)}, ' ')` : part.text;
  const text = `toString(${part.number})`;
  return fill ? `leftPad(${text}, ${String(part.digits)}, '0')` : text;
}
