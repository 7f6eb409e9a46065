import type { ConnectionAllowed } from '@redoubt/contract';
import { badField, RedoubtError } from '@redoubt/errors';
import { sealedLocation, type SecretBox } from '../../platform/secrets/index.ts';
import { refuseOtherRestrictions, type Sources, type StoredKind } from '../ingest/index.ts';

export type Info = Record<string, unknown>;

const locationOf = (id: string): string => sealedLocation('connections', 'sealed_info', id);

export const sealInfo = (secrets: Pick<SecretBox, 'seal'>, id: string, info: Info): string =>
  secrets.seal(JSON.stringify(info), locationOf(id));

export const openInfo = (secrets: Pick<SecretBox, 'open'>, id: string, sealed: string): Info =>
  JSON.parse(secrets.open(sealed, locationOf(id))) as Info;

/** Sources name the fields of a job. A connection has none of them around its own. */
const withOwnFields = (error: RedoubtError): RedoubtError =>
  new RedoubtError(error.name, error.message.replaceAll('dataSourceParams.', ''), {
    code: error.code,
    errors: (error.errors ?? []).map(({ field, message }) => ({
      field: field.replace('dataSourceParams.', ''),
      message: message.replaceAll('dataSourceParams.', ''),
    })),
  });

/**
 * Checks what a connection is to hold.
 * @returns where it leads, without secrets
 * @throws RedoubtError 400 that names the field, 501 for a type that is not stored
 */
export const describeConnection = (
  sources: Pick<Sources, 'stored'>,
  type: string,
  info: Info,
  allowed: ConnectionAllowed | null,
): Readonly<Record<string, unknown>> => {
  const kind: StoredKind = sources.stored(type);
  const other = Object.keys(info).find((field) => !kind.fields.includes(field));
  if (other !== undefined) {
    throw badField(
      `connectionInfo.${other}`,
      `must not be stored, because a connection of type ${type} holds only ${kind.fields.join(', ')}. Send it with each job.`,
    );
  }
  refuseOtherRestrictions(allowed, type, kind);
  try {
    return kind.describe(info, allowed);
  } catch (error) {
    throw error instanceof RedoubtError ? withOwnFields(error) : error;
  }
};

/** @throws RedoubtError 400 if stored secrets would be sent to an origin that they were not stored for */
export const refuseNewOrigins = (
  { originsOf }: Pick<StoredKind, 'originsOf'>,
  before: ConnectionAllowed | null,
  after: ConnectionAllowed | null,
): void => {
  const known = new Set(originsOf?.(before));
  const other = originsOf?.(after).find((origin) => !known.has(origin));
  if (other === undefined) return;
  throw badField(
    'connectionInfo',
    `must be sent when allowed names another origin, here ${other}, because the stored headers belong to the old ones. Send it, with the headers for all origins.`,
  );
};
