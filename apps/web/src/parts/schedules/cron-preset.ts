import { cronText } from '../../text/cron.ts';

export type CronPresetKind = keyof typeof cronText.presets;

/** When a schedule runs, as people choose it. `custom` has the cron expression as it was typed. */
export interface CronChoice {
  readonly kind: CronPresetKind;
  readonly minute: number;
  readonly hour: number;
  /** From 0, which is Sunday. */
  readonly weekday: number;
  readonly day: number;
  readonly cron: string;
}

export const dailyAtThree: CronChoice = {
  kind: 'daily',
  minute: 0,
  hour: 3,
  weekday: 1,
  day: 1,
  cron: '0 3 * * *',
};

export const toCron = ({ kind, minute, hour, weekday, day, cron }: CronChoice): string => {
  const at = `${String(minute)} ${String(hour)}`;
  switch (kind) {
    case 'hourly':
      return `${String(minute)} * * * *`;
    case 'daily':
      return `${at} * * *`;
    case 'workdays':
      return `${at} * * 1-5`;
    case 'weekly':
      return `${at} * * ${String(weekday)}`;
    case 'monthly':
      return `${at} ${String(day)} * *`;
    case 'custom':
      return cron.trim();
  }
};

const patterns: readonly (readonly [Exclude<CronPresetKind, 'custom'>, RegExp])[] = [
  ['hourly', /^(?<minute>\d+) \* \* \* \*$/],
  ['daily', /^(?<minute>\d+) (?<hour>\d+) \* \* \*$/],
  ['workdays', /^(?<minute>\d+) (?<hour>\d+) \* \* (?:1-5|mon-fri)$/i],
  ['weekly', /^(?<minute>\d+) (?<hour>\d+) \* \* (?<weekday>[0-6])$/],
  ['monthly', /^(?<minute>\d+) (?<hour>\d+) (?<day>\d+) \* \*$/],
];

/** Reads a cron expression as a choice; as `custom` if no preset writes it. */
export const fromCron = (cron: string): CronChoice => {
  const text = cron.trim().replaceAll(/\s+/g, ' ');
  for (const [kind, pattern] of patterns) {
    const groups = pattern.exec(text)?.groups;
    if (groups === undefined) continue;
    const number = (name: string, otherwise: number): number => Number(groups[name] ?? otherwise);
    const [minute, hour] = [number('minute', 0), number('hour', 3)];
    const day = number('day', 1);
    if (minute > 59 || hour > 23 || day < 1 || day > 31) break;
    return { kind, minute, hour, weekday: number('weekday', 1), day, cron: text };
  }
  return { ...dailyAtThree, kind: 'custom', cron: text };
};

/** When a schedule runs, in words; the expression itself if there are none for it. */
export const describeCron = (cron: string): string => {
  const { kind, minute, hour, weekday, day } = fromCron(cron);
  const { words } = cronText;
  switch (kind) {
    case 'hourly':
      return words.hourly(minute);
    case 'daily':
      return words.daily(hour, minute);
    case 'workdays':
      return words.workdays(hour, minute);
    case 'weekly':
      return words.weekly(weekday, hour, minute);
    case 'monthly':
      return words.monthly(day, hour, minute);
    case 'custom':
      return cron;
  }
};
