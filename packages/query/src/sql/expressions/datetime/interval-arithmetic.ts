import { intervalOf, bindIntervalParts, type IntervalParts } from './interval-values.ts';
import { microsPerDay, signed } from './timestamps.ts';
import { letIn } from '../numeric/exact-quotients.ts';

/** Adds or subtracts intervals, part by part. */
export const intervalSum = (first: string, second: string, sign: '+' | '-'): string =>
  bindIntervalParts('a', first, (a) =>
    bindIntervalParts('b', second, (b) =>
      intervalOf({
        months: `${a.months} ${sign} ${b.months}`,
        days: `${a.days} ${sign} ${b.days}`,
        micros: `toInt128(${a.micros}) ${sign} ${b.micros}`,
      }),
    ),
  );

export const negateInterval = (sql: string): string =>
  bindIntervalParts('a', sql, ({ months, days, micros }) =>
    intervalOf({ months: `-${months}`, days: `-${days}`, micros: `-toInt128(${micros})` }),
  );

const toMicroseconds = (seconds: string): string => `(roundBankers((${seconds}) * 1000000.) / 1000000.)`;

/**
 * Multiplies or divides an interval by a double, as PostgreSQL's interval_mul and interval_div: fractions of months
 * become days (30 for each month), and fractions of days become hours. NULL if a part is out of range, and for a divisor
 * of 0.
 */
export const scaledInterval = (interval: string, factor: string, sign: '*' | '/'): string =>
  bindIntervalParts('m', interval, (parts) =>
    letIn({ m_factor: sign === '/' ? `nullIf(${factor}, 0)` : factor }, scaled(parts, sign)),
  );

const fits32 = (double: string): string => `${double} BETWEEN -2147483648. AND 2147483647.`;
const fits64 = (double: string): string =>
  `${double} >= -9223372036854775808. AND ${double} < 9223372036854775808.`;
const orZero = (condition: string, double: string): string =>
  `if(ifNull(${condition}, false), ${double}, 0.)`;

function scaled({ months, days, micros }: IntervalParts<string>, sign: '*' | '/'): string {
  const product = (part: string): string => `toFloat64(${part}) ${sign} m_factor`;
  const whole = intervalOf({
    months: 'toInt64(n_month)',
    days: 'toInt64(n_day) + toInt64(n_over) + toInt64(n_left)',
    micros: `toInt64(${orZero(fits64('n_time'), 'n_time')})`,
  });
  const result = `if(ifNull(${fits32('m_month')} AND ${fits32('m_day')} AND ${fits64('n_time')}, false), ${whole}, NULL)`;
  const levels: Record<string, string>[] = [
    { m_month: product(months), m_day: product(days) },
    {
      n_month: `trunc(${orZero(fits32('m_month'), 'm_month')})`,
      n_day: `trunc(${orZero(fits32('m_day'), 'm_day')})`,
    },
    { n_monthDays: toMicroseconds(`(${orZero(fits32('m_month'), 'm_month')} - n_month) * 30.`) },
    {
      n_left: 'trunc(n_monthDays)',
      n_seconds: toMicroseconds(
        `(${orZero(fits32('m_day'), 'm_day')} - n_day + n_monthDays - trunc(n_monthDays)) * 86400.`,
      ),
    },
    { n_over: 'trunc(n_seconds / 86400.)' },
    { n_time: `roundBankers(${product(micros)} + (n_seconds - n_over * 86400.) * 1000000.)` },
  ];
  return levels.reduceRight((body, values) => letIn(values, body), result);
}

const day = signed(microsPerDay);

/** justify_hours: converts 24 hours to days, with one sign for both. */
export const justifiedHours = (sql: string): string =>
  bindIntervalParts('j', sql, ({ months, days, micros }) =>
    letIn(
      { j_day: `${days} + intDiv(${micros}, ${day})`, j_time: `(${micros} % ${day})` },
      letIn(
        { j_step: 'multiIf(j_day > 0 AND j_time < 0, 1, j_day < 0 AND j_time > 0, -1, 0)' },
        intervalOf({ months, days: 'j_day - j_step', micros: `j_time + j_step * ${day}` }),
      ),
    ),
  );

/** justify_days: converts 30 days to months, with one sign for both. */
export const justifiedDays = (sql: string): string =>
  bindIntervalParts('j', sql, ({ months, days, micros }) =>
    letIn(
      { j_month: `${months} + intDiv(${days}, 30)`, j_day: `(${days} % 30)` },
      letIn(
        { j_step: 'multiIf(j_month > 0 AND j_day < 0, 1, j_month < 0 AND j_day > 0, -1, 0)' },
        intervalOf({ months: 'j_month - j_step', days: 'j_day + j_step * 30', micros }),
      ),
    ),
  );

/** justify_interval: converts hours to days and days to months, with one sign for all. */
export const justifiedInterval = (sql: string): string =>
  bindIntervalParts('j', sql, ({ months, days, micros }) => {
    const time = `(${micros} % ${day})`;
    const allDays = `(${days} + intDiv(${micros}, ${day}))`;
    const monthStep =
      'multiIf(k_month > 0 AND (k_day < 0 OR (k_day = 0 AND k_time < 0)), 1, k_month < 0 AND (k_day > 0 OR (k_day = 0 AND k_time > 0)), -1, 0)';
    const dayStep = 'multiIf(l_day > 0 AND k_time < 0, 1, l_day < 0 AND k_time > 0, -1, 0)';
    return letIn(
      {
        k_month: `${months} + intDiv(${allDays}, 30)`,
        k_day: `(${allDays} % 30)`,
        k_time: time,
      },
      letIn(
        { k_step: monthStep },
        letIn(
          { l_month: 'k_month - k_step', l_day: 'k_day + k_step * 30' },
          letIn(
            { l_step: dayStep },
            intervalOf({
              months: 'l_month',
              days: 'l_day - l_step',
              micros: `k_time + l_step * ${day}`,
            }),
          ),
        ),
      ),
    );
  });
