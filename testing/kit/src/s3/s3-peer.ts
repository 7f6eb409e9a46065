import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';

/** An S3 service by people who did not write ours, in a process of its own. */
export interface TestS3Peer {
  endpoint: string;
  region: string;
  /** The keys of its owner. */
  keys: { accessKeyId: string; secretAccessKey: string };
  /** Whether it refuses unknown keys and wrong signatures. */
  checksSignatures: boolean;
  /** Stores an object, and creates its bucket. */
  put(bucket: string, key: string, content: string | Uint8Array): Promise<void>;
  /** Stores an object in two parts. The first one must have 5 MiB or more. */
  putParts(bucket: string, key: string, parts: readonly [Uint8Array, Uint8Array]): Promise<void>;
  /** Lets everybody list a bucket and read its objects, without keys. */
  publish(bucket: string): Promise<void>;
  stop(): Promise<void>;
}

const mayRead = (bucket: string): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: '*',
        Action: ['s3:GetObject', 's3:ListBucket'],
        Resource: [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`],
      },
    ],
  });

/** Adds what tests do with a service that listens. */
export const createS3Peer = (
  service: Pick<TestS3Peer, 'checksSignatures' | 'endpoint' | 'keys' | 'region' | 'stop'>,
): TestS3Peer => {
  const client = new S3Client({
    endpoint: service.endpoint,
    region: service.region,
    // A copy, because the client adds fields to it.
    credentials: { ...service.keys },
    forcePathStyle: true,
    // On a busy machine, moto can close a connection while the next request is sent on it.
    requestHandler: { httpAgent: { keepAlive: false } },
  });
  const buckets = new Set<string>();
  const create = async (bucket: string): Promise<void> => {
    if (!buckets.has(bucket)) await client.send(new CreateBucketCommand({ Bucket: bucket }));
    buckets.add(bucket);
  };
  return {
    ...service,
    put: async (bucket, key, content) => {
      await create(bucket);
      const Body = Buffer.from(content);
      const ContentLength = Body.length;
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body, ContentLength }));
    },
    putParts: async (bucket, key, parts) => {
      await create(bucket);
      const object = { Bucket: bucket, Key: key };
      const { UploadId } = await client.send(new CreateMultipartUploadCommand(object));
      const done = parts.map(async (Body, at) => {
        const part = { ...object, UploadId, PartNumber: at + 1 };
        const { ETag } = await client.send(new UploadPartCommand({ ...part, Body }));
        return { ETag, PartNumber: at + 1 };
      });
      const MultipartUpload = { Parts: await Promise.all(done) };
      await client.send(new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload }));
    },
    publish: async (bucket) => {
      await create(bucket);
      await client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy: mayRead(bucket) }));
    },
    stop: async () => {
      client.destroy();
      await service.stop();
    },
  };
};
