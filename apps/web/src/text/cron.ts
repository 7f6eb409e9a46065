const pad = (value: number): string => String(value).padStart(2, '0');
const clock = (hour: number, minute: number): string => `${pad(hour)}:${pad(minute)}`;
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** The texts of the times of schedules. */
export const cronText = {
  presets: {
    hourly: 'Every hour',
    daily: 'Every day',
    workdays: 'Monday to Friday',
    weekly: 'Every week',
    monthly: 'Every month',
    custom: 'Cron expression',
  },
  weekdays,
  words: {
    hourly: (minute: number) => `Every hour at minute ${pad(minute)}`,
    daily: (hour: number, minute: number) => `Daily at ${clock(hour, minute)}`,
    workdays: (hour: number, minute: number) => `Monday to Friday at ${clock(hour, minute)}`,
    weekly: (weekday: number, hour: number, minute: number) =>
      `${weekdays[weekday] ?? ''}s at ${clock(hour, minute)}`,
    monthly: (day: number, hour: number, minute: number) =>
      `Monthly on day ${String(day)} at ${clock(hour, minute)}`,
  },
} as const;
