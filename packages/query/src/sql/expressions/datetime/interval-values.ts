import { microsPerDay, signed } from './timestamps.ts';
import { letIn } from '../numeric/exact-quotients.ts';

/*
 * An interval in the engine is one whole number of 256 bits: its length, where a month counts 30 days and a day 24 hours,
 * times 2^64, and below it its months and days, which tell intervals of one length apart. So intervals are ordered as
 * PostgreSQL compares them, and those that it takes for equal share the upper part.
 */

/** The months, days and microseconds of an interval, each with a sign of its own: engine SQL, or numbers of a literal. */
export interface IntervalParts<Part = number> {
  readonly months: Part;
  readonly days: Part;
  readonly micros: Part;
}

const partBits = 32;
const lengthBits = 64;
/** What is added to months and days, so that they are not below 0. */
const bias = 2 ** 31;
const daysPerMonth = 30;

/** What equal intervals share, in PostgreSQL's order. */
export const intervalKey = (sql: string): string => `bitShiftRight(${sql}, ${String(lengthBits)})`;

/** The engine's number of an interval that is written out. */
export function packInterval({ months, days, micros }: IntervalParts): string {
  const length = BigInt(micros) + (BigInt(months) * 30n + BigInt(days)) * BigInt(microsPerDay);
  const parts = (BigInt(months) + BigInt(bias)) * 2n ** BigInt(partBits) + BigInt(days) + BigInt(bias);
  return `toInt256('${String(length * 2n ** BigInt(lengthBits) + parts)}')`;
}

/** The months of an interval; NULL of NULL. */
export const monthsOf = (sql: string): string =>
  `(toInt64(bitShiftRight(toUInt64(${sql}), ${String(partBits)})) - ${String(bias)})`;

/** The days of an interval, beside its months. */
export const intervalDaysOf = (sql: string): string =>
  `(toInt64(bitAnd(toUInt64(${sql}), ${String(2 ** partBits - 1)})) - ${String(bias)})`;

const lengthOfParts = (months: string, days: string): string =>
  `((${months}) * ${String(daysPerMonth)} + (${days})) * ${String(microsPerDay)}`;

/** The microseconds of an interval, beside its months and days. What goes over 64 bits on the way comes back. */
export const intervalTimeOf = (sql: string): string =>
  letIn(
    { i_packed: sql },
    `(toInt64(${intervalKey('i_packed')}) - ${lengthOfParts(monthsOf('i_packed'), intervalDaysOf('i_packed'))})`,
  );

/** Gives the parts of an interval names, which differ with the prefix. */
export const bindIntervalParts = (
  prefix: string,
  sql: string,
  body: (parts: IntervalParts<string>) => string,
): string => {
  const packed = `${prefix}_packed`;
  const parts = { months: `${prefix}_months`, days: `${prefix}_days`, micros: `${prefix}_micros` };
  const values = {
    [parts.months]: monthsOf(packed),
    [parts.days]: intervalDaysOf(packed),
    [parts.micros]: intervalTimeOf(packed),
  };
  return letIn({ [packed]: sql }, letIn(values, body(parts)));
};

const within = (sql: string, bits: 32 | 64): string => {
  const bound = 2n ** BigInt(bits - 1);
  return `${sql} BETWEEN -${String(bound)} AND ${String(bound - 1n)}`;
};

/** Puts parts together that are 32 bits and 64 bits long for sure. */
const packed = ({ months, days, micros }: IntervalParts<string>): string =>
  `((toInt256(${micros}) + ${lengthOfParts(`toInt256(${months})`, days)}) * toInt256('18446744073709551616') + toInt256(toUInt64((${months}) + ${String(bias)}) * ${String(2 ** partBits)} + toUInt64((${days}) + ${String(bias)})))`;

/** An interval of the length that its microseconds have, with whole days of 24 hours, as two moments lie apart. */
export const intervalOfMicros = (micros: string): string =>
  letIn(
    { t_micros: micros },
    letIn(
      { t_days: `intDiv(t_micros, ${signed(microsPerDay)})` },
      packed({ months: 'toInt64(0)', days: 't_days', micros: `(t_micros % ${signed(microsPerDay)})` }),
    ),
  );

/**
 * An interval of any whole parts: NULL where one is not within 32 bits (months and days) or 64.
 */
export function intervalOf(parts: IntervalParts<string>): string {
  const [months, days, micros] = ['p_months', 'p_days', 'p_micros'] as const;
  const fits = `${within(months, 32)} AND ${within(days, 32)} AND ${within(micros, 64)}`;
  return letIn(
    { [months]: parts.months, [days]: parts.days, [micros]: parts.micros },
    `if(${fits}, ${packed({ months, days, micros })}, NULL)`,
  );
}
