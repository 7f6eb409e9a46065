import { letIn } from '../engine-sql.ts';
import { quoteString } from '../../../storage/quoting.ts';
import type { Expression } from '../../expression.ts';
import { unsupportedSql } from '../../sql-compile-error.ts';
import { dayNames, monthNames, abbreviate } from './to-char.ts';
import { toDate, daysFromCalendar, isCalendarDay, microsPerDay, toTimestampOrNull } from './timestamps.ts';

/*
 * to_date and to_timestamp of a text and a pattern. PostgreSQL parses field by field (formatting.c, DCH_from_char,
 * without FX mode). It skips white space before and after each field, accepts one separator or none for each separator
 * of the pattern, and stops at the end of the text; the remaining fields keep their defaults. Here one regular
 * expression splits the text into fields. Its parts match disjoint texts, so it parses a text in at most one way. It
 * does not match texts that PostgreSQL rejects.
 */

type Field = 'day' | 'half' | 'hour' | 'micro' | 'milli' | 'minute' | 'month' | 'second' | 'weekday' | 'year';

interface Key {
  readonly field: Field;
  /** The number of digits, if another number follows. */
  readonly digits?: number;
  /** The words of a field that is not a number. */
  readonly words?: readonly string[];
  /** Whether hours are from 1 to 12. */
  readonly half?: true;
}

const halves = ['am', 'pm'];

/** The supported keys of patterns. Longer keys come first, so that no key is taken for a shorter one. */
const keys: Readonly<Record<string, Key>> = {
  MONTH: { field: 'month', words: monthNames },
  HH24: { field: 'hour', digits: 2 },
  HH12: { field: 'hour', digits: 2, half: true },
  YYYY: { field: 'year', digits: 4 },
  DAY: { field: 'weekday', words: dayNames },
  MON: { field: 'month', words: abbreviate(monthNames) },
  AM: { field: 'half', words: halves },
  DD: { field: 'day', digits: 2 },
  DY: { field: 'weekday', words: abbreviate(dayNames) },
  HH: { field: 'hour', digits: 2, half: true },
  MI: { field: 'minute', digits: 2 },
  MM: { field: 'month', digits: 2 },
  MS: { field: 'milli', digits: 3 },
  PM: { field: 'half', words: halves },
  SS: { field: 'second', digits: 2 },
  US: { field: 'micro', digits: 6 },
  YY: { field: 'year', digits: 2 },
};

/** A field of a pattern, with what follows it: a number of separators, or a literal character. */
interface Node {
  readonly key: Key;
  readonly isFilled: boolean;
  readonly separators: number;
  readonly hasLiteral: boolean;
}

const space = String.raw`[ \t-\r]`;
const punctuation = String.raw`[!-/:-@\[-\x60{-~]`;
const separator = String.raw`[ \t-\r!-/:-@\[-\x60{-~]`;

/** The limit of repetitions in the regular expression. */
const maxSeparators = 100;

function keyAt(rest: string): string | undefined {
  const isCapitalised = (key: string): boolean =>
    key[0] + key.slice(1).toLowerCase() === rest.slice(0, key.length);
  return Object.entries(keys).find(
    ([key, { words }]) =>
      rest.startsWith(key) ||
      rest.startsWith(key.toLowerCase()) ||
      (words !== undefined && words !== halves && isCapitalised(key)),
  )?.[0];
}

/** Parses a pattern to its fields; undefined if it has unsupported syntax. */
function readPattern(pattern: string): Node[] | undefined {
  const nodes: Node[] = [];
  let rest = pattern;
  while (rest !== '') {
    const isFilled = /^(?:FM|fm)/.test(rest);
    rest = isFilled ? rest.slice(2) : rest;
    const name = keyAt(rest);
    const key = name === undefined ? undefined : keys[name];
    if (name === undefined || key === undefined || nodes.some((node) => node.key.field === key.field))
      return undefined;
    rest = rest.slice(name.length);
    const between = /^(?:"([^"\\\s\d])"|[ \t-\r!#-/:-@[\]-`{-~]*)/.exec(rest)?.[0] ?? '';
    const hasLiteral = between.startsWith('"');
    if ((hasLiteral && key.words !== undefined) || between.length > maxSeparators) return undefined;
    rest = rest.slice(between.length);
    nodes.push({ key, isFilled, separators: hasLiteral ? 0 : between.length, hasLiteral });
  }
  return nodes;
}

/** Ignores the letter case of ASCII letters only: with (?i) the engine also treats the long s as an s. */
const inAnyCase = (word: string): string =>
  Array.from(word, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`).join('');

/** Whether a number must have exactly the digits of its key, because another number follows directly. */
const isFixed = ({ key, isFilled, separators, hasLiteral }: Node, next: Node | undefined): boolean =>
  key.words === undefined &&
  !(isFilled || separators > 0 || hasLiteral || next === undefined || next.key.words !== undefined);

const unsigned = (digits: number): string => String.raw`(\d{${String(digits)}})`;
const signed = (digits: number): string => String.raw`([+-]\d{${String(digits - 1)}})`;

/** The number of groups for a field. Only one of them has its text: the one without or the one with a sign. */
const groupsOf = (nodes: readonly Node[], place: number): number => {
  const node = nodes[place];
  return node !== undefined && isFixed(node, nodes[place + 1]) ? 2 : 1;
};

/** The pattern of a field's text, with its groups. */
function fieldText(node: Node, next: Node | undefined): string {
  const { words, digits = 0 } = node.key;
  if (words !== undefined) return `(${words.map(inAnyCase).join('|')})`;
  return isFixed(node, next) ? `(?:${unsigned(digits)}|${signed(digits)})` : String.raw`([+-]?\d+)`;
}

/** The pattern after a field: the end of the text, or everything that follows. */
function textBehind([node, next, ...others]: readonly Node[]): string {
  if (node === undefined || next === undefined) return '';
  const { separators, hasLiteral, key } = node;
  const rest = textBehind([next, ...others]);
  const field = `${space}*${fieldText(next, others[0])}${rest}`;
  if (hasLiteral) {
    const other = String.raw`[^ \t-\r\d]`;
    return `(?:${space}*$|${other}$|(?:${space}+|${other})${field})`;
  }
  if (separators === 0) return `${space}*(?:$|${field})`;
  // PostgreSQL skips white space before the separators, so the first separator is not white space.
  const first = punctuation;
  const more = String(separators - 1);
  const some = `(?:${first}${separator}{0,${more}})?`;
  // There must be something between two numbers, because the first takes all digits.
  const between =
    key.words === undefined && next.key.words === undefined
      ? `(?:${space}+${some}|${first}${separator}{0,${more}})`
      : `${space}*${some}`;
  const end = `${space}*${some}$`;
  if (!isFixed(next, others[0])) return `(?:${end}|${between}${field})`;
  // A sign counts as a separator as long as the pattern has an unused separator.
  const { digits = 0 } = next.key;
  const all = `${space}*${first}${separator}{${more}}`;
  const number = `(?:${between}${space}*${unsigned(digits)}|${all}${space}*${signed(digits)})`;
  return `(?:${end}|${number}${rest})`;
}

/** The year of YY. With fewer than four digits, it is the year closest to 2020. */
const fullYear = (text: string): string =>
  `if(length(${text}) BETWEEN 1 AND 3, p_year + multiIf(p_year < 70, 2000, p_year < 100, 1900, p_year < 520, 2000, p_year < 1000, 1000, 0), p_year)`;

/** The factor for the digits of a fraction: as milliseconds, both `25` and `250` mean a quarter of a second. */
const ofSecond = (text: string, digits: number): string =>
  Array.from({ length: digits - 1 }, (_, index) => index + 1).reduceRight(
    (rest, length) => `if(length(${text}) = ${String(length)}, ${String(10 ** (digits - length))}, ${rest})`,
    '1',
  );

/**
 * Compiles the date or timestamp of a text by a pattern; NULL if the text does not match.
 * @throws SqlCompileError for unsupported patterns
 */
export function compileToDate(
  text: string,
  pattern: Expression,
  { type, name }: { type: 'date' | 'timestamptz'; name: string },
): string {
  const { literal, at } = pattern;
  if (typeof literal !== 'string')
    throw unsupportedSql(
      `${name} with a pattern that is not a constant`,
      at,
      'Write the pattern as a literal in quotes.',
    );
  const nodes = readPattern(literal);
  const [first] = nodes ?? [];
  if (nodes === undefined || first === undefined)
    throw unsupportedSql(
      `${name} with the pattern "${literal}"`,
      at,
      'Use YYYY, MM, DD, HH24, MI, SS and the characters between them.',
    );
  const keyOf = (field: Field): Key | undefined => nodes.find(({ key }) => key.field === field)?.key;
  const groupOf = (field: Field): string | undefined => {
    const place = nodes.findIndex(({ key }) => key.field === field);
    if (place === -1) return undefined;
    const before = nodes.slice(0, place).reduce((sum, _, index) => sum + groupsOf(nodes, index), 0);
    const groups = Array.from(
      { length: groupsOf(nodes, place) },
      (_, index) => `p_groups[${String(before + index + 1)}]`,
    );
    return groups.length === 1 ? groups[0] : `concat(${groups.join(', ')})`;
  };
  const valueOf = (field: Field): string => {
    const group = groupOf(field);
    if (group === undefined) return 'toInt64(0)';
    const words = keyOf(field)?.words;
    if (words === undefined) return `toInt64(toInt32OrNull(if(${group} = '', '0', ${group})))`;
    const list = words.map((word) => quoteString(word.toLowerCase())).join(', ');
    return `toInt64(indexOf([${list}], lower(${group})))`;
  };
  const year = groupOf('year');
  const half = [groupOf('half'), keyOf('hour')?.half && groupOf('hour')].flatMap((group) =>
    group === undefined ? [] : [`notEmpty(${group})`],
  );
  const isHalf = half.length === 0 ? 'false' : `(${half.join(' OR ')})`;
  const parts = {
    p_year: valueOf('year'),
    p_month: `(${valueOf('month')})`,
    p_day: valueOf('day'),
    p_hour: valueOf('hour'),
    p_minute: valueOf('minute'),
    p_second: valueOf('second'),
    p_micro: `(${valueOf('milli')} * ${ofSecond(groupOf('milli') ?? "''", 3)} * 1000 + ${valueOf('micro')} * ${ofSecond(groupOf('micro') ?? "''", 6)})`,
    p_half: isHalf,
    p_afternoon: groupOf('half') === undefined ? 'false' : `(${valueOf('half')} = 2)`,
  };
  const whole = {
    d_year: year === undefined || keyOf('year')?.digits !== 2 ? 'p_year' : fullYear(year),
    d_month: 'if(p_month = 0, 1, p_month)',
    d_day: 'if(p_day = 0, 1, p_day)',
    d_hour: 'if(p_half, p_hour % 12 + if(p_afternoon, 12, 0), p_hour)',
  };
  const isClock =
    '(NOT p_half OR p_hour BETWEEN 1 AND 12) AND d_hour BETWEEN 0 AND 23 AND p_minute BETWEEN 0 AND 59 AND p_second BETWEEN 0 AND 59 AND p_micro BETWEEN 0 AND 999999';
  const days = daysFromCalendar('d_year', 'd_month', 'd_day');
  const micros = `(${days} * ${String(microsPerDay)} + ((d_hour * 60 + p_minute) * 60 + p_second) * 1000000 + p_micro)`;
  const made = type === 'date' ? `toNullable(${toDate(days)})` : toTimestampOrNull(micros);
  const isMoment = `isNotNull(p_text) AND notEmpty(p_groups) AND ${isCalendarDay('d_year', 'd_month', 'd_day')} AND ${isClock}`;
  const form = quoteString(`^${space}*${fieldText(first, nodes[1])}${textBehind(nodes)}`);
  return letIn(
    { p_text: text },
    letIn(
      { p_groups: `extractGroups(ifNull(p_text, ''), ${form})` },
      letIn(parts, letIn(whole, `if(${isMoment}, ${made}, NULL)`)),
    ),
  );
}
