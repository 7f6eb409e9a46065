import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SqlCompileError } from '../../sql-compile-error.ts';
import { compileCast } from '../casts.ts';
import { parseIntervalLiteral } from './interval-texts.ts';
import type { IntervalParts } from './interval-values.ts';
import { textLiteral } from '../literals.ts';
import { toScalarType } from '../../types.ts';

const hour = 3_600_000_000;

/** Texts with the intervals to which PostgreSQL 15 parses them. */
const intervals: readonly (readonly [string, Partial<IntervalParts>])[] = [
  ['1 day 2 hours', { days: 1, micros: 2 * hour }],
  ['1 mon', { months: 1 }],
  ['1-2', { months: 14 }],
  ['P1DT2H', { days: 1, micros: 2 * hour }],
  ['P1Y2M3DT4H5M6.5S', { months: 14, days: 3, micros: 4 * hour + 306_500_000 }],
  ['3 4:05:06', { days: 3, micros: 4 * hour + 306_000_000 }],
  ['1 year 2 mons -3 days 04:05:06.789', { months: 14, days: -3, micros: 4 * hour + 306_789_000 }],
  ['2 days ago', { days: -2 }],
  ['1.5 days', { days: 1, micros: 12 * hour }],
  ['1.5 months', { months: 1, days: 15 }],
  ['0.1 month', { days: 3 }],
  ['1.5 years', { months: 18 }],
  ['36 hours', { micros: 36 * hour }],
  ['1 week', { days: 7 }],
  ['1 century', { months: 1200 }],
  ['10', { micros: 10_000_000 }],
  ['-1 day +2 hours', { days: -1, micros: 2 * hour }],
  ['1d 2h 3m 4s', { days: 1, micros: 2 * hour + 184_000_000 }],
  ['500 ms', { micros: 500_000 }],
  ['-00:00:01', { micros: -1_000_000 }],
  ['00:00:00.000001', { micros: 1 }],
];

const kindOf = (run: () => unknown): string => {
  try {
    run();
    return 'taken';
  } catch (error) {
    assert.ok(error instanceof SqlCompileError);
    return error.kind;
  }
};

const kind = (text: string, type: 'date' | 'timestamp' | 'timestamptz'): string =>
  kindOf(() => compileCast(textLiteral(text, 0), toScalarType(type), 0));

describe('time literals', () => {
  for (const [text, parts] of intervals) {
    test(`the interval ${text} has the same months, days and microseconds as in PostgreSQL`, () => {
      assert.deepEqual(parseIntervalLiteral(textLiteral(text, 0)), {
        months: 0,
        days: 0,
        micros: 0,
        ...parts,
      });
    });
  }

  test('texts that are not intervals are rejected', () => {
    for (const text of ['', 'foo', '1 foo', 'P', 'P1X', '1:99:00', '1 2 3', 'ago ago', '1-13']) {
      assert.equal(
        kindOf(() => parseIntervalLiteral(textLiteral(text, 0))),
        'invalid',
        text,
      );
    }
  });

  test('months and days beyond 32 bits are rejected, as in PostgreSQL', () => {
    for (const text of ['2147483648 months', '-2147483649 days', '178956971 years']) {
      assert.equal(
        kindOf(() => parseIntervalLiteral(textLiteral(text, 0))),
        'invalid',
        text,
      );
    }
  });

  test('invalid dates are rejected, and errors name unsupported date notations', () => {
    for (const text of ['2020-02-30', '2019-02-29', '2020-13-01', '2020-00-10', '0000-01-01', 'foo']) {
      assert.equal(kind(text, 'date'), 'invalid', text);
    }
    for (const text of ['2020-01-01 25:00', '2020-01-01 10:60', '2020-01-01 24:00:01']) {
      assert.equal(kind(text, 'timestamp'), 'invalid', text);
    }
    for (const text of ['20200101', 'Jan 5 2020', '1/2/2020', 'now', 'today', 'infinity', '12020-01-01']) {
      assert.equal(kind(text, 'timestamptz'), 'unsupported', text);
    }
    for (const text of ['2020-02-29', '2020-2-9', ' 2020-02-09 10:20 ', '0099-03-04']) {
      assert.equal(kind(text, 'date'), 'taken', text);
    }
  });
});
