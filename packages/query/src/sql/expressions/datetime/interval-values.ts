import { letIn } from '../engine-sql.ts';
import { microsPerDay, signed } from './timestamps.ts';

/*
 * In the engine an interval is one Int256. The upper part is its length, with 30 days a month and 24 hours a day, and
 * the lower 64 bits are its months and days. Intervals that are equal in PostgreSQL have the same upper part, and the
 * order of the numbers is PostgreSQL's order of intervals.
 */

/** The parts of an interval, each with its own sign: engine SQL, or the numbers of a literal. */
export interface IntervalParts<Part = number> {
  readonly months: Part;
  readonly days: Part;
  readonly micros: Part;
}

const partBits = 32;
const lengthBits = 64;
/** The offset that makes months and days non-negative. */
const bias = 2 ** 31;
const daysPerMonth = 30;

/** The key of an interval: equal for equal intervals, and in PostgreSQL's order. */
export const intervalKey = (sql: string): string => `bitShiftRight(${sql}, ${String(lengthBits)})`;

/** The engine number of an interval constant. */
export function packInterval({ months, days, micros }: IntervalParts): string {
  const length = BigInt(micros) + (BigInt(months) * 30n + BigInt(days)) * BigInt(microsPerDay);
  const parts = (BigInt(months) + BigInt(bias)) * 2n ** BigInt(partBits) + BigInt(days) + BigInt(bias);
  return `toInt256('${String(length * 2n ** BigInt(lengthBits) + parts)}')`;
}

/** The months of an interval; NULL for NULL. */
export const monthsOf = (sql: string): string =>
  `(toInt64(bitShiftRight(toUInt64(${sql}), ${String(partBits)})) - ${String(bias)})`;

/** The days of an interval, without its months. */
export const intervalDaysOf = (sql: string): string =>
  `(toInt64(bitAnd(toUInt64(${sql}), ${String(2 ** partBits - 1)})) - ${String(bias)})`;

const lengthOfParts = (months: string, days: string): string =>
  `((${months}) * ${String(daysPerMonth)} + (${days})) * ${String(microsPerDay)}`;

/** The microseconds of an interval, without its months and days. An intermediate overflow of 64 bits cancels out. */
export const intervalTimeOf = (sql: string): string =>
  letIn(
    { i_packed: sql },
    `(toInt64(${intervalKey('i_packed')}) - ${lengthOfParts(monthsOf('i_packed'), intervalDaysOf('i_packed'))})`,
  );

/** Binds the parts of an interval to names that start with the prefix. */
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

/** Packs parts that are known to fit 32 and 64 bits. */
const packed = ({ months, days, micros }: IntervalParts<string>): string =>
  `((toInt256(${micros}) + ${lengthOfParts(`toInt256(${months})`, days)}) * toInt256('18446744073709551616') + toInt256(toUInt64((${months}) + ${String(bias)}) * ${String(2 ** partBits)} + toUInt64((${days}) + ${String(bias)})))`;

/** Packs the difference of two timestamps, in microseconds. As in PostgreSQL, every full 24 hours become a day. */
export const intervalOfMicros = (micros: string): string =>
  letIn(
    { t_micros: micros },
    letIn(
      { t_days: `intDiv(t_micros, ${signed(microsPerDay)})` },
      packed({ months: 'toInt64(0)', days: 't_days', micros: `(t_micros % ${signed(microsPerDay)})` }),
    ),
  );

/** Packs any parts. The interval is NULL if the months or days exceed 32 bits, or if the time exceeds 64 bits. */
export function intervalOf(parts: IntervalParts<string>): string {
  const [months, days, micros] = ['p_months', 'p_days', 'p_micros'] as const;
  const fits = `${within(months, 32)} AND ${within(days, 32)} AND ${within(micros, 64)}`;
  return letIn(
    { [months]: parts.months, [days]: parts.days, [micros]: parts.micros },
    `if(${fits}, ${packed({ months, days, micros })}, NULL)`,
  );
}
