const absolute = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'medium',
});

/** A time in the zone of the browser, with the zone. */
export const formatTime = (iso: string): string => `${absolute.format(new Date(iso))} ${zoneName()}`;

const zoneName = (): string =>
  new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' })
    .formatToParts(new Date())
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** A duration: milliseconds, seconds or minutes. */
export const formatDuration = (milliseconds: number): string => {
  if (milliseconds < 1000) return `${String(Math.round(milliseconds))} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${String(Math.floor(seconds / 60))} min ${String(Math.round(seconds % 60))} s`;
};
