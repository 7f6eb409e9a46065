import { RedoubtError } from '@redoubt/errors';

/** One answer for every reason why a link is not good. */
export const invalidLinkError = (): RedoubtError =>
  new RedoubtError(
    'NotFoundError',
    'This link is not good: it was used, has expired, or a newer one was sent. Ask for a new one.',
  );

const minute = 60_000;
const hour = 60 * minute;

/** How long links can be used. */
export const linkLifetimes = { verification: 24 * hour, change: 24 * hour, reset: hour };

/** Within this time after a link, none of its kind is sent. */
export const minLinkIntervalMilliseconds = minute;

export const toSeconds = (milliseconds: number): number => milliseconds / 1000;
