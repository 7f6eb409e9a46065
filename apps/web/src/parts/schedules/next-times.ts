import { Cron } from 'croner';

/**
 * The next times of a schedule, as the server computes them; undefined for an expression or zone that gives none.
 * @param count how many
 */
export const nextTimes = (cron: string, timeZone: string, count: number): Date[] | undefined => {
  try {
    const times = new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true }).nextRuns(count);
    return times.length > 0 ? times : undefined;
  } catch {
    return undefined;
  }
};
