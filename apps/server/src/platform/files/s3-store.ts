import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { Readable } from 'node:stream';
import {
  ObjectNotFoundError,
  ObjectStoreError,
  requireObjectName,
  requirePrefix,
  type ByteRange,
  type ObjectStore,
} from './object-store.ts';
import { copyToTemporaryFile } from './temporary-file.ts';

export interface S3Settings {
  /** The URL of the service; without it, Amazon's service of the region. */
  endpoint: string | undefined;
  region: string;
  /** Without them, the AWS SDK looks for credentials in its usual sources (role of the machine, file of the user). */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
}

export interface S3Location {
  bucket: string;
  /** Prefix of all names in the bucket, such as `redoubt/`; it may be empty. */
  prefix: string;
}

/** Bytes per part of an upload. S3 allows 10,000 parts, so a file may have 640 GB; two parts are in memory at once. */
const defaultPartBytes = 64 * 1024 * 1024;

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown error');
const isAbsent = (error: unknown): boolean => ['NotFound', 'NoSuchKey'].includes(nameOf(error));

/** Stores files in a bucket of an S3 service. */
export const openS3Store = (
  { endpoint, region, credentials }: S3Settings,
  { bucket, prefix }: S3Location,
  partBytes = defaultPartBytes,
): ObjectStore => {
  const client = new S3Client({
    region,
    // Services other than Amazon's address buckets by path, and not all of them support trailing checksums.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === undefined ? {} : { credentials }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const locationOf = (name: string): { Bucket: string; Key: string } => ({
    Bucket: bucket,
    Key: prefix + requireObjectName(name),
  });
  /** The service's messages may contain names of files and accounts, so only its error code is passed on. */
  const toStoreError = (error: unknown): Error => {
    if (error instanceof ObjectNotFoundError) return error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : nameOf(error);
    const where = endpoint === undefined ? `in ${region}` : `at ${new URL(endpoint).host}`;
    return new ObjectStoreError(
      `Cannot use the S3 bucket "${bucket}" ${where} (${code}). Check the bucket, its region or endpoint, and the credentials.`,
    );
  };
  const withStoreErrors = async <Result>(response: Promise<Result>): Promise<Result> => {
    try {
      return await response;
    } catch (error) {
      throw toStoreError(error);
    }
  };

  async function* get(name: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
    const location = locationOf(name);
    const rangeInput = range === undefined ? {} : { Range: `bytes=${range.first}-${range.last ?? ''}` };
    try {
      const { Body } = await client.send(new GetObjectCommand({ ...location, ...rangeInput }));
      for await (const chunk of Body as Readable) yield chunk as Buffer;
    } catch (error) {
      if (isAbsent(error)) throw new ObjectNotFoundError(name);
      if (nameOf(error) !== 'InvalidRange') throw toStoreError(error);
    }
  }

  return {
    get,
    open: (name) => copyToTemporaryFile(get(name)),
    async put(name, content) {
      let sourceError: unknown;
      const source = async function* (): AsyncGenerator<Uint8Array> {
        try {
          yield* content;
        } catch (error) {
          sourceError = error;
          throw error;
        }
      };
      const upload = new Upload({
        client,
        params: { ...locationOf(name), Body: Readable.from(source(), { objectMode: false }) },
        partSize: partBytes,
        queueSize: 1,
      });
      try {
        await upload.done();
      } catch (error) {
        throw sourceError ?? toStoreError(error);
      }
    },
    async head(name) {
      const location = locationOf(name);
      try {
        const { ContentLength: size = 0 } = await client.send(new HeadObjectCommand(location));
        return { name, size };
      } catch (error) {
        if (isAbsent(error)) return undefined;
        throw toStoreError(error);
      }
    },
    async delete(name) {
      await withStoreErrors(client.send(new DeleteObjectCommand(locationOf(name))));
    },
    async *list(start) {
      const Prefix = prefix + requirePrefix(start);
      let after: string | undefined;
      do {
        const input = {
          Bucket: bucket,
          Prefix,
          ...(after === undefined ? {} : { ContinuationToken: after }),
        };
        const page = await withStoreErrors(client.send(new ListObjectsV2Command(input)));
        for (const { Key = '', Size: size = 0 } of page.Contents ?? [])
          yield { name: Key.slice(prefix.length), size };
        after = page.IsTruncated === true ? page.NextContinuationToken : undefined;
      } while (after !== undefined);
    },
    close: () => client.destroy(),
  };
};
