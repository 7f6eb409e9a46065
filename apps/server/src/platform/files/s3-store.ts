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
  /** The address of the service; that of Amazon for the region when absent. */
  endpoint: string | undefined;
  region: string;
  /** Absent, they are found as all programs of Amazon's find them (a role of the machine, a file of the user). */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
}

export interface S3Place {
  bucket: string;
  /** What all names begin with in the bucket, such as `redoubt/`; it may be empty. */
  prefix: string;
}

/** Bytes of a part of an upload. An upload has 10,000 of them at most, so a file may have 640 GB; two parts are in memory. */
const defaultPartBytes = 64 * 1024 * 1024;

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown error');
const isAbsent = (error: unknown): boolean => ['NotFound', 'NoSuchKey'].includes(nameOf(error));

/** Files in a bucket of an S3 service. */
export const openS3Store = (
  { endpoint, region, credentials }: S3Settings,
  { bucket, prefix }: S3Place,
  partBytes = defaultPartBytes,
): ObjectStore => {
  const client = new S3Client({
    region,
    // Services other than Amazon's know buckets by the path, and not all of them know checksums behind the content.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === undefined ? {} : { credentials }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const placeOf = (name: string): { Bucket: string; Key: string } => ({
    Bucket: bucket,
    Key: prefix + requireObjectName(name),
  });
  /** The service's messages may hold names of files and of accounts: its word for the fault is enough to act on. */
  const faultOf = (error: unknown): Error => {
    if (error instanceof ObjectNotFoundError) return error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : nameOf(error);
    const where = endpoint === undefined ? `in ${region}` : `at ${new URL(endpoint).host}`;
    return new ObjectStoreError(`The S3 bucket "${bucket}" ${where} cannot be used (${code}).`);
  };
  const told = async <Answer>(asked: Promise<Answer>): Promise<Answer> => {
    try {
      return await asked;
    } catch (error) {
      throw faultOf(error);
    }
  };

  async function* get(name: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
    const place = placeOf(name);
    const asked = range === undefined ? {} : { Range: `bytes=${range.first}-${range.last ?? ''}` };
    try {
      const { Body } = await client.send(new GetObjectCommand({ ...place, ...asked }));
      for await (const chunk of Body as Readable) yield chunk as Buffer;
    } catch (error) {
      if (isAbsent(error)) throw new ObjectNotFoundError(name);
      if (nameOf(error) !== 'InvalidRange') throw faultOf(error);
    }
  }

  return {
    get,
    open: (name) => copyToTemporaryFile(get(name)),
    async put(name, content) {
      let fault: unknown;
      const source = async function* (): AsyncGenerator<Uint8Array> {
        try {
          yield* content;
        } catch (error) {
          fault = error;
          throw error;
        }
      };
      const upload = new Upload({
        client,
        params: { ...placeOf(name), Body: Readable.from(source(), { objectMode: false }) },
        partSize: partBytes,
        queueSize: 1,
      });
      try {
        await upload.done();
      } catch (error) {
        throw fault ?? faultOf(error);
      }
    },
    async head(name) {
      const place = placeOf(name);
      try {
        const { ContentLength: size = 0 } = await client.send(new HeadObjectCommand(place));
        return { name, size };
      } catch (error) {
        if (isAbsent(error)) return undefined;
        throw faultOf(error);
      }
    },
    async delete(name) {
      await told(client.send(new DeleteObjectCommand(placeOf(name))));
    },
    async *list(start) {
      const Prefix = prefix + requirePrefix(start);
      let after: string | undefined;
      do {
        const asked = {
          Bucket: bucket,
          Prefix,
          ...(after === undefined ? {} : { ContinuationToken: after }),
        };
        const page = await told(client.send(new ListObjectsV2Command(asked)));
        for (const { Key = '', Size: size = 0 } of page.Contents ?? [])
          yield { name: Key.slice(prefix.length), size };
        after = page.IsTruncated === true ? page.NextContinuationToken : undefined;
      } while (after !== undefined);
    },
    close: () => client.destroy(),
  };
};
