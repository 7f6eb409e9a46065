import type { Run } from './aggregate-sums.ts';
import { scaledInterval } from './interval-arithmetic.ts';
import { clockOf, intervalDaysOf, intervalOf, monthsOf } from './interval-values.ts';

/** The sum of intervals, each part for itself; NULL for none, and where a part leaves its bounds. */
export const totalInterval = (run: Run, sql: string): string =>
  intervalOf({
    months: run('sum', monthsOf(sql)),
    days: run('sum', intervalDaysOf(sql)),
    micros: run('sum', `toInt128(${clockOf(sql)})`),
  });

/** PostgreSQL divides the sum by the count. */
export const averageInterval = (run: Run, sql: string): string =>
  scaledInterval(totalInterval(run, sql), `toFloat64(${run('count', sql)})`, '/');
