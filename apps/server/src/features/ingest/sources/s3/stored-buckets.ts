import type { ConnectionAllowed } from '@redoubt/contract';
import { describeValue, invalidField } from '@redoubt/errors';

/** The fields of connectionInfo that a stored connection to a bucket holds. */
export const bucketFields = [
  'endpoint',
  'region',
  'bucket',
  'pathStyle',
  'accessKeyId',
  'secretAccessKey',
  'sessionToken',
] as const;

/** Whether the connection lets a request read a key. An entry without a slash at its end is one key, or its folder. */
export const isAllowedKey = (key: string, allowed: ConnectionAllowed | null): boolean =>
  allowed === null ||
  allowed.prefixes?.some(
    (entry) => key === entry || key.startsWith(entry.endsWith('/') ? entry : `${entry}/`),
  ) === true;

/** @throws RedoubtError 400 for a prefix that the connection does not allow */
export const requireAllowedPrefix = (prefix: string, allowed: ConnectionAllowed | null): void => {
  if (isAllowedKey(prefix, allowed)) return;
  throw invalidField({
    field: 'dataSourceParams.connectionInfo.prefix',
    expected: 'a prefix that the connection allows',
    got: describeValue(prefix),
    advice: 'Send one that begins with an allowed prefix, or ask a person who manages the connection.',
  });
};
