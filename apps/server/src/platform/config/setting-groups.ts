import { expectedMessage } from '@redoubt/errors';
import type { Config } from './settings.ts';

const isSet = (value: unknown): boolean =>
  value !== undefined && !(Array.isArray(value) && value.length === 0);

/** Checks that either all or none of some settings are set. @returns an error message, or undefined */
export const findIncompleteGroup = (config: Config, names: readonly (keyof Config)[]): string | undefined => {
  const set = names.filter((name) => isSet(config[name])).join(' and ');
  const missing = names.filter((name) => !isSet(config[name])).join(' and ');
  if (set === '' || missing === '') return undefined;
  return expectedMessage({
    field: names.join(' and '),
    expected: 'set together',
    got: `only ${set}`,
    advice: `Set ${missing} as well, or unset ${set}.`,
  });
};
