import { letIn } from '../engine-sql.ts';
import { intervalOf } from './interval-values.ts';
import { daysOfMonth, microsOf, microsPerDay, signed } from './timestamps.ts';

const clockOf = (moment: string): string => `positiveModulo(${microsOf(moment)}, ${signed(microsPerDay)})`;
const monthsOf = (moment: string): string => `(toInt64(toYear(${moment})) * 12 + toMonth(${moment}))`;

/**
 * Compiles the calendar difference of two timestamps: months, days and time of day. A part that would be negative
 * borrows from the next larger part. A borrowed month has as many days as the month of the earlier timestamp.
 * @returns engine SQL of an interval, negative if the end is before the start, and NULL if either is NULL
 */
export function ageBetween(end: string, start: string): string {
  const levels: Record<string, string>[] = [
    { g_end: end, g_start: start },
    {
      g_sign: 'if(ifNull(g_end < g_start, false), -1, 1)',
      g_high: 'greatest(assumeNotNull(g_end), assumeNotNull(g_start))',
      g_low: 'least(assumeNotNull(g_end), assumeNotNull(g_start))',
    },
    { g_clock: `${clockOf('g_high')} - ${clockOf('g_low')}` },
    { g_days: 'toInt64(toDayOfMonth(g_high)) - toDayOfMonth(g_low) - (g_clock < 0)' },
  ];
  const lent = daysOfMonth('toYear(g_low)', 'toMonth(g_low)');
  const span = intervalOf({
    months: `g_sign * (${monthsOf('g_high')} - ${monthsOf('g_low')} - (g_days < 0))`,
    days: `g_sign * (g_days + if(g_days < 0, ${lent}, 0))`,
    micros: `g_sign * (g_clock + if(g_clock < 0, ${signed(microsPerDay)}, 0))`,
  });
  const age = levels.reduceRight((body, values) => letIn(values, body), span);
  return `if(isNull(${end}) OR isNull(${start}), NULL, ${age})`;
}
