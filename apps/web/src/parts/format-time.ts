import { currentPreferences } from '../preferences/preferences.ts';

/** Formatters by their zone and style: making one takes longer than using it. */
const known = new Map<string, Intl.DateTimeFormat>();

const formatter = (style: 'day' | 'time'): Intl.DateTimeFormat => {
  const { zone } = currentPreferences();
  const key = `${style} ${zone}`;
  const format =
    known.get(key) ??
    new Intl.DateTimeFormat('en-GB', {
      dateStyle: 'medium',
      // With the zone.
      ...(style === 'time' && { timeStyle: 'long' }),
      ...(zone !== '' && { timeZone: zone }),
    });
  known.set(key, format);
  return format;
};

/** A time in the zone that the person chose, with the zone. */
export const formatTime = (time: Date | string): string => formatter('time').format(new Date(time));

/** The day of a time in the zone that the person chose. */
export const formatDay = (time: Date | string): string => formatter('day').format(new Date(time));

/** A duration: milliseconds, seconds or minutes. */
export const formatDuration = (milliseconds: number): string => {
  if (milliseconds < 1000) return `${String(Math.round(milliseconds))} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${String(Math.floor(seconds / 60))} min ${String(Math.round(seconds % 60))} s`;
};
