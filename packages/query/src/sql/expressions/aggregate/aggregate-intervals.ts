import type { RenderAggregateCall } from './aggregate-sums.ts';
import { scaledInterval } from '../datetime/interval-arithmetic.ts';
import { intervalTimeOf, intervalDaysOf, intervalOf, monthsOf } from '../datetime/interval-values.ts';

/** Compiles the sum of intervals, part by part. It is NULL without values and if a part is out of range. */
export const totalInterval = (run: RenderAggregateCall, sql: string): string =>
  intervalOf({
    months: run('sum', monthsOf(sql)),
    days: run('sum', intervalDaysOf(sql)),
    micros: run('sum', `toInt128(${intervalTimeOf(sql)})`),
  });

/** Compiles the average of intervals: the sum divided by the count, as in PostgreSQL. */
export const averageInterval = (run: RenderAggregateCall, sql: string): string =>
  scaledInterval(totalInterval(run, sql), `toFloat64(${run('count', sql)})`, '/');
