import { S3Client } from '@aws-sdk/client-s3';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import type { OutboundAgents } from '../../../../platform/outbound/index.ts';
import type { S3Connection } from './s3-connection.ts';

/** The maximum bytes of a response that is read into memory: a page of a list, or an error. */
const maxWholeBytes = 8 * 1024 * 1024;
const connectMs = 10_000;
/** After this time without a byte, a service counts as disconnected. */
const silenceMs = 30_000;

/** The service sends more than the response to a call can have. */
export class LongResponseError extends Error {}

const limited = (body: Readable): Readable => {
  let size = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > maxWholeBytes) done(new LongResponseError());
      else done(null, chunk);
    },
  });
  return pipeline(body, limit, () => undefined);
};

/** Keys that no request is signed with. They keep the SDK from looking for credentials of this server. */
const noCredentials = { accessKeyId: 'none', secretAccessKey: 'none' };

/**
 * A client for a bucket of other people. It signs with the given keys, or not at all: never with credentials of the server.
 * It follows no redirects.
 */
export const createS3Client = (
  { endpoint, region, pathStyle, accessKeyId, secretAccessKey, sessionToken }: S3Connection,
  agents: OutboundAgents,
): S3Client => {
  const credentials =
    accessKeyId === undefined || secretAccessKey === undefined
      ? undefined
      : { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: pathStyle,
    credentials: credentials ?? noCredentials,
    ...(credentials === undefined ? { signer: { sign: async (request) => request } } : {}),
    requestHandler: {
      ...agents,
      connectionTimeout: connectMs,
      socketTimeout: silenceMs,
    },
    maxAttempts: 4,
    retryMode: 'standard',
    followRegionRedirects: false,
    useArnRegion: false,
    disableMultiregionAccessPoints: true,
    disableS3ExpressSessionAuth: true,
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args);
        const response = result.response as { statusCode: number; body?: Readable };
        // Only the bytes of an object are streamed. The SDK reads all other bodies as a whole.
        const isStreamed = commandName === 'GetObjectCommand' && response.statusCode < 300;
        if (!isStreamed && response.body !== undefined) response.body = limited(response.body);
        return result;
      },
    { step: 'deserialize', priority: 'low', name: 'limitResponses' },
  );
  return client;
};
