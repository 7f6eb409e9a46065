import { badField } from '@redoubt/errors';
import { lookup } from 'node:dns/promises';
import { hostOf as hostOfUrl } from '../../../../platform/outbound/index.ts';
import type { S3Connection } from './s3-connection.ts';

/** The service in which this server keeps its own files. */
export interface OwnStore {
  /** Undefined for Amazon's service. */
  endpoint: string | undefined;
  bucket: string;
  /** Other buckets of the endpoint that everybody may read with keys for them. */
  sharedBuckets?: readonly string[] | undefined;
}

/** The host of an endpoint, as a name in lower case or an IP address. */
export const hostOf = (endpoint: string): string => hostOfUrl(new URL(endpoint));
/** The port of a URL, also where it is the usual one. */
export const portOf = (url: string): string => {
  const { port, protocol } = new URL(url);
  return port === '' ? (protocol === 'http:' ? '80' : '443') : port;
};

const isAmazon = (host: string): boolean => /(^|\.)amazonaws\.com(\.cn)?$/.test(host);

/** The endpoint of the operator's service; undefined for Amazon's, which everybody uses and which changes no paths. */
const ownEndpoint = ({ endpoint }: OwnStore): string | undefined =>
  endpoint === undefined || isAmazon(hostOf(endpoint)) ? undefined : endpoint;

/** Whether a connection names the bucket, as such or at the start of the host name. */
const namesBucket = ({ endpoint, bucket }: S3Connection, own: string): boolean =>
  bucket === own || hostOf(endpoint).startsWith(`${own}.`);

/** Whether the operator lets people read the bucket of a connection, should it be at the server's own service. */
const isShared = (connection: S3Connection, { bucket, sharedBuckets = [] }: OwnStore): boolean =>
  sharedBuckets.includes(connection.bucket) && !namesBucket(connection, bucket);

/** A proxy on the same machine usually leads to the service from these ports. */
const usualPorts = ['80', '443'];

const isOwnPort = (connection: S3Connection, endpoint: string): boolean =>
  [portOf(endpoint), ...usualPorts].includes(portOf(connection.endpoint));

const isSameHost = (host: string, endpoint: string): boolean =>
  host === hostOf(endpoint) || host.endsWith(`.${hostOf(endpoint)}`);

/**
 * Refuses the server's own bucket, and all of its own service except for shared buckets. Its files hold records of
 * everybody, and a service that resolves `..` in a path would return them under the name of another bucket.
 * @throws RedoubtError 400
 */
export const refuseOwnStore = (connection: S3Connection, own: OwnStore | undefined): void => {
  if (own === undefined) return;
  const host = hostOf(connection.endpoint);
  const endpoint = ownEndpoint(own);
  if (!(endpoint === undefined ? isAmazon(host) : isSameHost(host, endpoint))) return;
  if (namesBucket(connection, own.bucket)) {
    throw badField(
      'dataSourceParams.connectionInfo.bucket',
      "must not be the bucket of this server's own files. Name another bucket.",
    );
  }
  if (endpoint === undefined || isShared(connection, own) || !isOwnPort(connection, endpoint)) return;
  throw badField(
    'dataSourceParams.connectionInfo.endpoint',
    "must not be the service of this server's own files, except for buckets that the operator lists in S3_SHARED_BUCKETS. Send another endpoint, or ask the operator.",
  );
};

/** A test for addresses that lead to the server's own service under another name of its host. */
export const findOwnAddresses = async (
  connection: S3Connection,
  own: OwnStore | undefined,
): Promise<(address: string) => boolean> => {
  const endpoint = own && ownEndpoint(own);
  if (own === undefined || endpoint === undefined || isShared(connection, own)) return () => false;
  if (!isOwnPort(connection, endpoint)) return () => false;
  const found = await lookup(hostOf(endpoint), { all: true });
  const addresses = new Set(found.map(({ address }) => address));
  return (address) => addresses.has(address);
};

/**
 * A test for keys that a service could resolve to an object of another bucket, such as `../own/file`. Only a shared
 * bucket is where the server's own one may be.
 */
export const findEscapingKeys = (
  connection: S3Connection,
  own: OwnStore | undefined,
): ((key: string) => boolean) =>
  own !== undefined && isShared(connection, own)
    ? (key) => key.split(/[/\\]/).some((part) => part === '.' || part === '..')
    : () => false;
