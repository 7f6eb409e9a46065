import { roundHalfTowardsZero, roundHalfEven } from '../numeric/rounding.ts';
import type { Expression } from '../../expression.ts';
import { invalidSql, unsupportedSql } from '../../sql-compile-error.ts';
import { engineType, toScalarType } from '../../types.ts';
import { packInterval, type IntervalParts } from './interval-values.ts';
import { microsPerDay, microsPerSecond } from './timestamps.ts';

interface Unit {
  readonly part: 'months' | 'days' | 'micros';
  readonly size: number;
  /** The part to which a fraction of this unit is added. */
  readonly fraction: 'days' | 'micros' | 'months';
}

const month: Unit = { part: 'months', size: 1, fraction: 'days' };
const years = (size: number): Unit => ({ part: 'months', size: 12 * size, fraction: 'months' });
const days = (size: number): Unit => ({ part: 'days', size, fraction: 'micros' });
const clock = (size: number): Unit => ({ part: 'micros', size, fraction: 'micros' });

const spellings: readonly (readonly [string, Unit])[] = [
  ['millennium millennia mil mils', years(1000)],
  ['century centuries c cent', years(100)],
  ['decade decades dec decs', years(10)],
  ['year years y yr yrs', years(1)],
  ['month months mon mons', month],
  ['week weeks w', days(7)],
  ['day days d', days(1)],
  ['hour hours h hr hrs', clock(3600 * microsPerSecond)],
  ['minute minutes m min mins', clock(60 * microsPerSecond)],
  ['second seconds s sec secs', clock(microsPerSecond)],
  ['millisecond milliseconds ms msec msecs', clock(1000)],
  ['microsecond microseconds us usec usecs', clock(1)],
];

const units = new Map(
  spellings.flatMap(([names, unit]) => names.split(' ').map((name) => [name, unit] as const)),
);

const isoUnits: Record<string, Unit> = {
  Y: years(1),
  M: month,
  W: days(7),
  D: days(1),
  tH: clock(3600 * microsPerSecond),
  tM: clock(60 * microsPerSecond),
  tS: clock(microsPerSecond),
};

const malformed = (text: string, at: number): Error =>
  invalidSql(`invalid input syntax for type interval: "${text}"`, at);

class Sum {
  months = 0;
  days = 0;
  micros = 0;

  /** Adds an amount of a unit, such as "1.5". Fractions of months count 30 days for each month. */
  add(amount: string, { part, size, fraction }: Unit): void {
    const [whole = '0', rest] = amount.split('.');
    const sign = whole.startsWith('-') ? -1 : 1;
    if (part === 'micros') {
      this.micros += roundHalfTowardsZero(Number(amount) * size);
      return;
    }
    this[part] += Number(whole) * size;
    if (rest === undefined || rest === '') return;
    const piece = sign * Number(`0.${rest}`) * size;
    if (fraction === 'months') this.months += roundHalfEven(piece);
    else if (fraction === 'micros') this.addDays(piece);
    else this.addDays(piece * 30);
  }

  private addDays(count: number): void {
    const whole = Math.trunc(count);
    this.days += whole;
    this.micros += roundHalfTowardsZero((count - whole) * microsPerDay);
  }

  parts(): IntervalParts {
    return { months: this.months, days: this.days, micros: this.micros };
  }
}

/**
 * Parses an interval literal: "1 day 2 hours", "1-2", "3 4:05:06", "P1DT2H", "2 days ago".
 * @throws SqlCompileError if PostgreSQL rejects the text
 */
export function parseIntervalLiteral(value: Expression): IntervalParts {
  const text = (value.literal ?? '').trim();
  const parts = text.startsWith('P') ? readIso(text, value.at) : readWords(text, value.at);
  const all = [parts.months, parts.days, parts.micros];
  if (all.some((part) => !Number.isSafeInteger(part) || Math.abs(part) > 9e15)) {
    throw unsupportedSql(
      `the interval "${text}" of this length`,
      value.at,
      'Write it with fewer characters, as in 1 day 02:30:00.',
    );
  }
  if ([parts.months, parts.days].some((part) => part < -(2 ** 31) || part >= 2 ** 31)) {
    throw invalidSql(`interval field value out of range: "${text}"`, value.at);
  }
  return parts;
}

function readIso(text: string, at: number): IntervalParts {
  const sum = new Sum();
  const [date = '', time] = text.slice(1).split('T');
  const add = (part: string, prefix: string): void => {
    const items = part.match(/[+-]?\d+(?:\.\d*)?[A-Z]/g) ?? [];
    if (items.join('') !== part) throw malformed(text, at);
    for (const item of items) {
      const unit = isoUnits[prefix + item.slice(-1)];
      if (unit === undefined) throw malformed(text, at);
      sum.add(item.slice(0, -1), unit);
    }
  };
  add(date, '');
  if (time !== undefined) add(time, 't');
  if (date === '' && (time ?? '') === '') throw malformed(text, at);
  return sum.parts();
}

const token =
  /^(?:([+-]?)(\d+):(\d{1,2})(?::(\d{1,2}(?:\.\d*)?))?|([+-]?)(\d+)-(\d{1,2})|([+-]?(?:\d+\.?\d*|\.\d+))\s*([a-z]+)?|(ago))(?=$|[\s+-]|\d)\s*/i;

function readWords(written: string, at: number): IntervalParts {
  const sum = new Sum();
  let rest = written.replace(/^@\s*/, '').toLowerCase();
  if (rest === '') throw malformed(written, at);
  let backwards = false;
  while (rest !== '') {
    const match = token.exec(rest);
    if (match === null || backwards) throw malformed(written, at);
    rest = rest.slice(match[0].length);
    const [
      ,
      clockSign = '',
      hours,
      minutes = '0',
      seconds = '0',
      yearSign = '',
      yearCount,
      monthCount = '0',
      amount,
      name,
      ago,
    ] = match;
    if (ago !== undefined) backwards = true;
    else if (hours !== undefined) {
      if (Number(minutes) > 59 || Number(seconds) >= 61) throw malformed(written, at);
      const size =
        (Number(hours) * 3600 + Number(minutes) * 60) * microsPerSecond +
        roundHalfEven(Number(seconds) * 1e6);
      sum.micros += clockSign === '-' ? -size : size;
    } else if (yearCount !== undefined) {
      if (Number(monthCount) > 11) throw malformed(written, at);
      sum.months += (yearSign === '-' ? -1 : 1) * (Number(yearCount) * 12 + Number(monthCount));
    } else if (amount !== undefined) addAmount(sum, amount, name, rest, () => malformed(written, at));
  }
  const { months, days: dayCount, micros } = sum;
  return backwards ? { months: -months || 0, days: -dayCount || 0, micros: -micros || 0 } : sum.parts();
}

/** Adds a number and its unit. A number without a unit means days before a time of day, and seconds at the end. */
function addAmount(
  sum: Sum,
  amount: string,
  name: string | undefined,
  rest: string,
  createError: () => Error,
): void {
  const unit = units.get(name ?? (/^[+-]?\d+:/.test(rest) ? 'day' : 'second'));
  if (unit === undefined || (name === undefined && rest !== '' && !/^[+-]?\d+:/.test(rest)))
    throw createError();
  sum.add(amount, unit);
}

/** Compiles an interval constant. */
export const intervalLiteral = (interval: IntervalParts, at: number): Expression => ({
  sql: `CAST(${packInterval(interval)} AS ${engineType(toScalarType('interval'))})`,
  type: toScalarType('interval'),
  interval,
  at,
});
