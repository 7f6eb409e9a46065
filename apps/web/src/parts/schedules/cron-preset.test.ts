import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { describeCron, fromCron, toCron } from './cron-preset.ts';

test('cron expressions of the presets are read, written and put into words', () => {
  const cases = [
    ['15 * * * *', 'hourly', 'Every hour at minute 15'],
    ['0 3 * * *', 'daily', 'Daily at 03:00'],
    ['30 18 * * 1-5', 'workdays', 'Monday to Friday at 18:30'],
    ['5 0 * * 0', 'weekly', 'Sundays at 00:05'],
    ['0 6 31 * *', 'monthly', 'Monthly on day 31 at 06:00'],
  ] as const;
  for (const [cron, kind, words] of cases) {
    equal(fromCron(cron).kind, kind);
    equal(toCron(fromCron(cron)), cron);
    equal(describeCron(cron), words);
  }
});

test('other expressions stay as they are', () => {
  for (const cron of ['*/5 * * * *', '0 3 1 * 1', '75 3 * * *', 'not cron']) {
    deepEqual([fromCron(cron).kind, toCron(fromCron(cron)), describeCron(cron)], ['custom', cron, cron]);
  }
});
