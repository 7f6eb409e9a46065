import type { RenderAggregateCall } from './aggregate-sums.ts';
import { scaledInterval } from '../datetime/interval-arithmetic.ts';
import { intervalTimeOf, intervalDaysOf, intervalOf, monthsOf } from '../datetime/interval-values.ts';

/** The sum of intervals, part by part. NULL without values and if a part is out of range. */
export const totalInterval = (run: RenderAggregateCall, sql: string): string =>
  intervalOf({
    months: run('sum', monthsOf(sql)),
    days: run('sum', intervalDaysOf(sql)),
    micros: run('sum', `toInt128(${intervalTimeOf(sql)})`),
  });

/** PostgreSQL divides the sum by the count. */
export const averageInterval = (run: RenderAggregateCall, sql: string): string =>
  scaledInterval(totalInterval(run, sql), `toFloat64(${run('count', sql)})`, '/');
