import { formatNumber } from './format-number.ts';

const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** A size for people: `512 bytes`, `1.5 MB`. */
export const formatBytes = (bytes: number): string => {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${formatNumber(Math.round(value * (unit === 0 ? 1 : 10)) / (unit === 0 ? 1 : 10))} ${units[unit] ?? ''}`;
};
