import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import type { ConnectionAllowed } from '@redoubt/contract';
import { RedoubtError } from '@redoubt/errors';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createOutboundAgents, OutboundError } from '../../../../platform/outbound/index.ts';
import {
  UnchangedSegmentError,
  type ReadRequest,
  type Source,
  type SourceKind,
  type SourceSegment,
} from '../source.ts';
import { createKeyMatcher } from './key-pattern.ts';
import {
  findEscapingKeys,
  findOwnAddresses,
  hostOf,
  portOf,
  refuseOwnStore,
  type OwnStore,
} from './own-store.ts';
import { createS3Client, LongResponseError } from './s3-client.ts';
import { readS3Connection, type S3Connection } from './s3-connection.ts';
import { bucketFields, isAllowedKey, requireAllowedPrefix } from './stored-buckets.ts';
import { UnreachableSourceError } from '../unreachable-source-error.ts';

/** An object as it was listed. */
interface S3Place {
  key: string;
  etag: string;
}

interface S3Source extends Source {
  /** The objects, of which there may be none. */
  listAny(signal: AbortSignal): AsyncIterable<SourceSegment>;
}

const maxPages = 10_000;
const maxResumes = 5;
const resumeMs = 200;
/** How often an object may change between two requests before it counts as unreadable. */
const maxChanges = 3;

/** Cannot use the bucket, or one of its objects. */
const datasourceError = (message: string): RedoubtError => new RedoubtError('DatasourceError', message);

const statusOf = (error: unknown): number =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode ?? 0;

/** Errors of Amazon that mean a session token, and have the status of a wrong region. */
const tokenErrors = new Set(['ExpiredToken', 'InvalidToken', 'TokenRefreshRequired']);

/** What people should check, by the status and the code of a response. */
const adviceOf = (status: number, code: string): string => {
  if (tokenErrors.has(code))
    return 'Send new keys with a new token: the session token is wrong or has expired.';
  if ([301, 307, 400].includes(status))
    return 'Check the region and the endpoint: the server follows no redirect to another region.';
  if (status === 401 || status === 403)
    return 'Check the access keys, and that they may list the bucket and read its objects.';
  if (status === 404) return 'Check the name of the bucket, and that the object still exists.';
  return 'Retry the job later.';
};

/**
 * Describes what failed. Messages of a service can contain names of accounts and whatever else it likes, so only its short
 * error code is passed on.
 */
const toDatasourceError = (error: unknown, { bucket, endpoint }: S3Connection): Error => {
  if (error instanceof RedoubtError || error instanceof UnchangedSegmentError) return error;
  const service = `${hostOf(endpoint)}:${portOf(endpoint)}`;
  const fail = (problem: string): RedoubtError =>
    new UnreachableSourceError(`Cannot use the S3 bucket "${bucket}" at ${service}: ${problem}`);
  const outbound = [error, (error as Error).cause].find((cause) => cause instanceof OutboundError);
  if (outbound !== undefined) return fail(`${outbound.message}. Send another endpoint.`);
  if (error instanceof LongResponseError) return fail('its response is too long. Check the endpoint.');
  const status = statusOf(error);
  const { code: systemCode, name } = error as { code?: string; name: string };
  const sent = typeof systemCode === 'string' ? systemCode : name;
  const code = /^[A-Za-z0-9_.]{1,60}$/.test(sent) ? sent : 'unknown error';
  if (status === 0) return fail(`it did not respond (${code}). Check the endpoint, then try again.`);
  return fail(`it answered ${String(status)} (${code}). ${adviceOf(status, code)}`);
};

/** The objects of a bucket: each one is a segment. */
export const createS3Sources = ({
  allowsPrivate,
  ownStore,
}: {
  allowsPrivate: boolean;
  ownStore: OwnStore | undefined;
}): SourceKind => {
  const open = (connectionInfo: unknown, allowed: ConnectionAllowed | null): S3Source => {
    const connection = readS3Connection(connectionInfo, allowsPrivate);
    refuseOwnStore(connection, ownStore);
    requireAllowedPrefix(connection.prefix ?? '', allowed);
    const { endpoint, bucket, prefix = '', pattern } = connection;
    const isEscaping = findEscapingKeys(connection, ownStore);

    const openClient = async (): Promise<S3Client> => {
      const isOwn = await findOwnAddresses(connection, ownStore);
      return createS3Client(connection, createOutboundAgents(allowsPrivate, isOwn));
    };

    async function* listKeys(client: S3Client, signal: AbortSignal): AsyncGenerator<S3Place> {
      let token: string | undefined;
      for (let pages = 0; pages < maxPages; pages++) {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token }),
          { abortSignal: signal },
        );
        for (const { Key: key, ETag: etag = '', Size: size = 0 } of page.Contents ?? [])
          if (key?.startsWith(prefix) && isAllowedKey(key, allowed) && !(key.endsWith('/') && size === 0))
            yield { key, etag };
        if (page.IsTruncated !== true) return;
        token = page.NextContinuationToken;
      }
      throw datasourceError(
        `The S3 bucket "${bucket}" lists more than ${String(maxPages)} pages. Send a narrower prefix.`,
      );
    }

    /** The bytes of one version of an object. What a cut transfer lacks is read by a range of the same version. */
    async function* bytesOf(
      client: S3Client,
      { key, etag }: S3Place,
      { name, signal, onVersion }: ReadRequest,
    ): AsyncGenerator<Uint8Array> {
      let received = 0;
      let length: number | undefined;
      for (let resumes = 0; ; resumes++) {
        try {
          const { Body, ContentLength, ContentRange } = await client.send(
            new GetObjectCommand({
              Bucket: bucket,
              Key: key,
              ...(etag === '' ? {} : { IfMatch: etag }),
              ...(received === 0 ? {} : { Range: `bytes=${String(received)}-` }),
            }),
            { abortSignal: signal },
          );
          if (received > 0 && ContentRange?.startsWith(`bytes ${String(received)}-`) !== true)
            throw datasourceError(`${name}: the S3 service does not continue a cut transfer. Retry the job.`);
          length ??= ContentLength;
          if (received === 0) onVersion({ etag });
          for await (const chunk of Body as Readable) {
            received += (chunk as Buffer).length;
            yield chunk as Buffer;
          }
          if (length === undefined || received === length) return;
        } catch (error) {
          signal.throwIfAborted();
          if (received === 0 || error instanceof RedoubtError || statusOf(error) !== 0) throw error;
        }
        if (resumes === maxResumes || (length !== undefined && received > length)) {
          throw datasourceError(
            `${name}: the S3 service ended the transfer after ${String(received)} bytes. Retry the job.`,
          );
        }
        await delay(resumeMs * 2 ** resumes, undefined, { signal });
      }
    }

    async function* readObject(
      client: S3Client,
      place: S3Place,
      request: ReadRequest,
    ): AsyncGenerator<Uint8Array> {
      let { etag } = place;
      // The connection may allow less than when the key was listed.
      if (!isAllowedKey(place.key, allowed))
        throw datasourceError(
          `${request.name}: the connection no longer allows this object. Start the job again.`,
        );
      for (let changes = 0; ; changes++) {
        if (etag !== '' && etag === request.known?.['etag']) throw new UnchangedSegmentError();
        let hasBytes = false;
        try {
          for await (const chunk of bytesOf(client, { ...place, etag }, request)) {
            hasBytes = true;
            yield chunk;
          }
          return;
        } catch (error) {
          if (statusOf(error) !== 412) throw error;
          if (hasBytes || changes === maxChanges) {
            throw datasourceError(
              `${request.name}: the object changed while it was read. Retry the job when nobody writes it.`,
            );
          }
        }
        // The object was written after it was listed: its new version is read.
        const head = new HeadObjectCommand({ Bucket: bucket, Key: place.key });
        etag = (await client.send(head, { abortSignal: request.signal })).ETag ?? '';
      }
    }

    const withClient = async function* <Item>(
      use: (client: S3Client) => AsyncIterable<Item>,
      signal: AbortSignal,
    ): AsyncGenerator<Item> {
      let client: S3Client | undefined;
      try {
        client = await openClient();
        yield* use(client);
      } catch (error) {
        signal.throwIfAborted();
        throw toDatasourceError(error, connection);
      } finally {
        client?.destroy();
      }
    };

    async function* listAny(signal: AbortSignal): AsyncGenerator<SourceSegment> {
      const matches = pattern === undefined ? () => true : createKeyMatcher(pattern);
      for await (const { key, etag } of withClient((client) => listKeys(client, signal), signal)) {
        if (!matches(key.slice(prefix.length))) continue;
        if (isEscaping(key)) {
          throw datasourceError(
            `The S3 bucket "${bucket}" has an object with "." or ".." as a part of its key, which cannot be read from the service of this server's own files. Rename it, or send a pattern that leaves it out.`,
          );
        }
        const identity = JSON.stringify([new URL(endpoint).origin, bucket, key]);
        yield { name: nameOf(key), identity, place: { key, etag } };
      }
    }

    return {
      shown: {
        hosts: [new URL(endpoint).host],
        bucket,
        ...(prefix === '' ? {} : { prefix }),
        ...(pattern === undefined ? {} : { pattern }),
      },
      changedSinceJob: connection.changedSinceJob,
      continues: 'segments',
      segments: undefined,
      reading: undefined,
      listAny,
      async *list(signal) {
        let hasObjects = false;
        for await (const segment of listAny(signal)) {
          hasObjects = true;
          yield segment;
        }
        // Where an earlier job read objects, an empty bucket is no mistake in the request.
        if (!hasObjects && connection.changedSinceJob === undefined) {
          throw datasourceError(
            `The S3 bucket "${bucket}" has no object with the prefix "${prefix}"${pattern === undefined ? '' : ` and the pattern "${pattern}"`}. Check both: the pattern must match the rest of the key.`,
          );
        }
      },
      read: (place, request) =>
        withClient((client) => readObject(client, place as S3Place, request), request.signal),
    };
  };
  return {
    type: 'S3',
    open: (connectionInfo, stored) => open(connectionInfo, stored?.allowed ?? null),
    stored: {
      fields: bucketFields,
      restriction: 'prefixes',
      describe: (stored) => {
        const { endpoint, bucket, ...more } = readS3Connection(stored, allowsPrivate);
        refuseOwnStore({ ...more, endpoint, bucket }, ownStore);
        return { hosts: [new URL(endpoint).host], bucket };
      },
      async *find(stored, allowed, signal) {
        for (const prefix of allowed?.prefixes ?? [''])
          for await (const { name } of open({ ...stored, prefix }, allowed).listAny(signal)) yield name;
      },
    },
  };
};

/** The end of the key, where its file name is. */
const nameOf = (key: string): string => key.replaceAll('\0', '').slice(-255);
