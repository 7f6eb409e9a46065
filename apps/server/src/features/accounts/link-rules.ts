import { RedoubtError } from '@redoubt/errors';

/** The same error for every reason why a link is invalid. */
export const invalidLinkError = (): RedoubtError =>
  new RedoubtError(
    'NotFoundError',
    'This link is not valid: it was already used, has expired, or was replaced by a newer one. Ask for a new one.',
  );

const minute = 60_000;
const hour = 60 * minute;

/** How long links are valid, in milliseconds. */
export const linkLifetimes = { verification: 24 * hour, change: 24 * hour, reset: hour };

/** The shortest time between two links of a kind to the same account. */
export const minLinkIntervalMilliseconds = minute;

export const toSeconds = (milliseconds: number): number => milliseconds / 1000;
