import { describeValue, invalidField } from '@redoubt/errors';
import { Cron } from 'croner';

/** When a schedule is due. */
export interface CronTimes {
  cron: string;
  timeZone: string;
}

const open = ({ cron, timeZone }: CronTimes): Cron =>
  new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true });

const isTimeZone = (name: string): boolean => {
  // Offsets such as +01:00 are no names: a zone knows when its clocks change.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/** The first time after `now`. A run that was missed before `now` is not made up for. */
export const nextRun = (times: CronTimes, now: Date): Date => {
  const next = open(times).nextRun(now);
  if (next === null) throw new Error('A schedule has no further time.');
  return next;
};

/** @throws RedoubtError 400 for an expression or a time zone that gives no times */
export const requireCron = (times: CronTimes, now: Date): void => {
  const { cron, timeZone } = times;
  if (!isTimeZone(timeZone)) {
    throw invalidField({
      field: 'timeZone',
      expected: 'the IANA name of a time zone',
      got: describeValue(timeZone),
      advice: 'Send one such as Europe/Berlin or UTC.',
    });
  }
  try {
    nextRun(times, now);
  } catch {
    throw invalidField({
      field: 'cron',
      expected: 'five fields (minute, hour, day of the month, month, day of the week) that give a time',
      got: describeValue(cron),
      advice: 'Send an expression such as "0 6 * * MON-FRI".',
    });
  }
};
