import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseTimeRange, parseTimestampMicros } from './timestamps.ts';

const millis = (text: string): bigint => BigInt(Date.parse(text)) * 1000n;

const timestamps: [string, bigint][] = [
  ['1970-01-01', 0n],
  ['2024-02-29', millis('2024-02-29T00:00:00Z')],
  ['0000-01-01', millis('0000-01-01T00:00:00Z')],
  ['0001-03-01', millis('0001-03-01T00:00:00Z')],
  ['9999-12-31T23:59:59.999999Z', millis('9999-12-31T23:59:59.999Z') + 999n],
  ['2024-01-01T10:00', millis('2024-01-01T10:00:00Z')],
  ['2024-01-01 10:00:01', millis('2024-01-01T10:00:01Z')],
  ['2024-01-01T10:00:01.5Z', millis('2024-01-01T10:00:01.500Z')],
  ['2024-01-01T10:00:01.123456789Z', millis('2024-01-01T10:00:01.123Z') + 456n],
  ['2024-01-01T10:00+02:30', millis('2024-01-01T07:30:00Z')],
  ['2024-01-01T10:00:00-0800', millis('2024-01-01T18:00:00Z')],
];

for (const [text, micros] of timestamps) {
  test(`the timestamp ${text} is ${String(micros)} microseconds after 1970`, () => {
    assert.equal(parseTimestampMicros(text), micros);
  });
}

const others = [
  '',
  '2024',
  '2024-01',
  '2024-1-1',
  '2024-00-01',
  '2024-13-01',
  '2023-02-29',
  '1900-02-29',
  '2024-04-31',
  '2024-01-00',
  '2024-01-01T',
  '2024-01-01T10',
  '2024-01-01T24:00',
  '2024-01-01T10:60',
  '2024-01-01T10:00:60Z',
  '2024-01-01T10:00:00.Z',
  '2024-01-01T10:00:00.1234567890Z',
  '2024-01-01T10:00+24:00',
  '2024-01-01T10:00+02',
  '2024-01-01t10:00z',
  '2024-01-01  10:00',
  ' 2024-01-01',
  '2024-01-01\n',
  '-2024-01-01',
  '12024-01-01',
  '2024-01-01Z',
];

for (const text of others) {
  test(`the text ${JSON.stringify(text)} is not a timestamp`, () => {
    assert.equal(parseTimestampMicros(text), undefined);
  });
}

test('timestamps agree with the calendar of JavaScript', () => {
  fc.assert(
    fc.property(
      fc.date({
        min: new Date('0000-01-01T00:00:00Z'),
        max: new Date('9999-12-31T23:59:59Z'),
        noInvalidDate: true,
      }),
      (date) => {
        assert.equal(parseTimestampMicros(date.toISOString()), BigInt(date.getTime()) * 1000n);
      },
    ),
  );
});

const spans: [string, string, string][] = [
  ['2024', '2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z'],
  ['9999', '9999-01-01T00:00:00Z', '+010000-01-01T00:00:00Z'],
  ['2024-02', '2024-02-01T00:00:00Z', '2024-03-01T00:00:00Z'],
  ['2024-12', '2024-12-01T00:00:00Z', '2025-01-01T00:00:00Z'],
  ['2024-12-31', '2024-12-31T00:00:00Z', '2025-01-01T00:00:00Z'],
  ['2024-01-01T10:59', '2024-01-01T10:59:00Z', '2024-01-01T11:00:00Z'],
  ['2024-01-01T10:59:59+01:00', '2024-01-01T09:59:59Z', '2024-01-01T10:00:00Z'],
  ['2024-01-01T10:59:59.99Z', '2024-01-01T10:59:59.990Z', '2024-01-01T11:00:00Z'],
];

for (const [text, from, until] of spans) {
  test(`the bound ${text} covers its last unit completely`, () => {
    assert.deepEqual(parseTimeRange(text), { from: millis(from), until: millis(until) });
  });
}

test('a bound with a fraction covers the unit of its last digit, at least one microsecond', () => {
  const lengths = ['1', '12', '123', '123456', '123456789'].map((fraction) => {
    const span = parseTimeRange(`2024-01-01T10:00:00.${fraction}Z`);
    return span && span.until - span.from;
  });
  assert.deepEqual(lengths, [100_000n, 10_000n, 1000n, 1n, 1n]);
});

test('a bound that is not a date has no span', () => {
  for (const text of ['', '24', '2024-13', '2024-00', 'now', '2024-1', '20240101'])
    assert.equal(parseTimeRange(text), undefined);
});
