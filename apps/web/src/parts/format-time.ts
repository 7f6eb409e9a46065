import { currentPreferences } from '../preferences/preferences.ts';

/** Formatters by style and time zone. They are cached, because creating one takes longer than using it. */
const known = new Map<string, Intl.DateTimeFormat>();

const formatter = (style: 'clock' | 'day' | 'time'): Intl.DateTimeFormat => {
  const { zone } = currentPreferences();
  const key = `${style} ${zone}`;
  const format =
    known.get(key) ??
    new Intl.DateTimeFormat('en-GB', {
      ...(style !== 'clock' && { dateStyle: 'medium' }),
      // The style `long` includes the time zone.
      ...(style !== 'day' && { timeStyle: 'long' }),
      ...(zone !== '' && { timeZone: zone }),
    });
  known.set(key, format);
  return format;
};

/** A time in the time zone of the person, followed by the zone. */
export const formatTime = (time: Date | string): string => formatter('time').format(new Date(time));

/** The time of the day in the time zone of the person, followed by the zone. */
export const formatClock = (time: Date | number): string => formatter('clock').format(time);

/** The date of a time in the time zone of the person. */
export const formatDay = (time: Date | string): string => formatter('day').format(new Date(time));

/** A duration in milliseconds, seconds or minutes, depending on its length. */
export const formatDuration = (milliseconds: number): string => {
  if (milliseconds < 1000) return `${String(Math.round(milliseconds))} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${String(Math.floor(seconds / 60))} min ${String(Math.round(seconds % 60))} s`;
};
