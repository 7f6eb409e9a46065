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

/** @throws RedoubtError 400 for a prefix that the connection does not allow */
export const requireAllowedPrefix = (prefix: string, allowed: ConnectionAllowed | null): void => {
  if (allowed === null || allowed.prefixes?.some((beginning) => prefix.startsWith(beginning)) === true)
    return;
  throw invalidField({
    field: 'dataSourceParams.connectionInfo.prefix',
    expected: 'a prefix that the connection allows',
    got: describeValue(prefix),
    advice: 'Send one that begins with an allowed prefix, or ask a person who manages the connection.',
  });
};
