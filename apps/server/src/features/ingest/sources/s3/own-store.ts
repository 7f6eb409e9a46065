import { badField } from '@redoubt/errors';
import { lookup } from 'node:dns/promises';
import { hostOf as hostOfUrl } from '../../../../platform/outbound/index.ts';
import type { S3Connection } from './s3-connection.ts';

/** The bucket in which this server keeps its own files. */
export interface OwnStore {
  /** Undefined for Amazon's service. */
  endpoint: string | undefined;
  bucket: string;
}

/** The host of an endpoint, as a name in lower case or an IP address. */
export const hostOf = (endpoint: string): string => hostOfUrl(new URL(endpoint));
/** The port of a URL, also where it is the usual one. */
export const portOf = (url: string): string => {
  const { port, protocol } = new URL(url);
  return port === '' ? (protocol === 'http:' ? '80' : '443') : port;
};

/** Whether a connection names the bucket, as such or at the start of the host name. */
const namesBucket = ({ endpoint, bucket }: S3Connection, own: string): boolean =>
  bucket === own || hostOf(endpoint).startsWith(`${own}.`);

const isAmazon = (host: string): boolean => /(^|\.)amazonaws\.com(\.cn)?$/.test(host);

/** The addresses of the server's own store; none if it cannot be resolved now. */
const addressesOf = async (endpoint: string): Promise<string[]> => {
  try {
    return (await lookup(hostOf(endpoint), { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
};

const refusal = (): Error =>
  badField(
    'dataSourceParams.connectionInfo.bucket',
    "must not be the bucket of this server's own files. Name another bucket.",
  );

/**
 * Refuses the server's own bucket by its names. Its files hold records of everybody.
 * @throws RedoubtError 400
 */
export const refuseOwnStore = (connection: S3Connection, own: OwnStore | undefined): void => {
  if (own === undefined || !namesBucket(connection, own.bucket)) return;
  const host = hostOf(connection.endpoint);
  if (own.endpoint === undefined ? isAmazon(host) : isSameHost(host, own.endpoint)) throw refusal();
};

const isSameHost = (host: string, endpoint: string): boolean =>
  host === hostOf(endpoint) || host.endsWith(`.${hostOf(endpoint)}`);

/** A test for addresses that lead to the server's own bucket under another name of its host. */
export const findOwnAddresses = async (
  connection: S3Connection,
  own: OwnStore | undefined,
): Promise<(address: string) => boolean> => {
  if (own?.endpoint === undefined || !namesBucket(connection, own.bucket)) return () => false;
  if (portOf(connection.endpoint) !== portOf(own.endpoint)) return () => false;
  const addresses = new Set(await addressesOf(own.endpoint));
  return (address) => addresses.has(address);
};
