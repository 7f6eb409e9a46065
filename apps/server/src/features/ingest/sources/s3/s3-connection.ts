import { IdParam, strictObject } from '@redoubt/contract';
import { badField, describeValue, invalidField } from '@redoubt/errors';
import { Type, type Static } from 'typebox';
import { createValidator } from '../../../../platform/http/validation.ts';
import { findOutboundUrlError } from '../../../../platform/outbound/index.ts';
import { unsupportedInPattern } from './key-pattern.ts';

const connection = 'dataSourceParams.connectionInfo';

const S3Connection = strictObject({
  endpoint: Type.Optional(Type.String({ maxLength: 1000 })),
  region: Type.String({ minLength: 1, maxLength: 63 }),
  bucket: Type.String({ minLength: 1, maxLength: 63 }),
  prefix: Type.Optional(Type.String({ maxLength: 1024 })),
  pattern: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  pathStyle: Type.Optional(Type.Boolean()),
  accessKeyId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  secretAccessKey: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
  sessionToken: Type.Optional(Type.String({ minLength: 1, maxLength: 8000 })),
  changedSinceJob: Type.Optional(IdParam),
});

/** A checked connection to a bucket. */
export interface S3Connection extends Static<typeof S3Connection> {
  /** Always set, so that neither environment nor files of the server can lead elsewhere. */
  endpoint: string;
  pathStyle: boolean;
}

const requireShape = createValidator(S3Connection, connection);

/** Ends that no ARN and no path has: the name becomes a part of the host or of the path. */
const bucketName = /^[A-Za-z0-9]([A-Za-z0-9._-]{1,61}[A-Za-z0-9])?$/;

const amazonEndpoint = (region: string): string =>
  `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;

/** @throws RedoubtError 400 that names the field; it never contains a key */
export const readS3Connection = (connectionInfo: unknown, allowsPrivate: boolean): S3Connection => {
  requireShape(connectionInfo);
  const sent = connectionInfo as Static<typeof S3Connection>;
  const { region, bucket, pattern, accessKeyId, secretAccessKey, sessionToken } = sent;
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(region)) {
    throw invalidField({
      field: `${connection}.region`,
      expected: 'the name of a region, such as us-east-1',
      got: describeValue(region),
      advice: 'Services other than Amazon often take us-east-1.',
    });
  }
  if (!bucketName.test(bucket) || bucket.includes('..')) {
    throw invalidField({
      field: `${connection}.bucket`,
      expected: 'the name of a bucket: letters, digits, ".", "_" and "-"',
      got: describeValue(bucket),
      advice: 'Send the name alone, without s3:// and without a path.',
    });
  }
  if (pattern !== undefined && unsupportedInPattern.test(pattern)) {
    throw invalidField({
      field: `${connection}.pattern`,
      expected: 'a pattern of *, ** and ?, without the characters [ ] { } \\ and !',
      got: describeValue(pattern),
      advice: 'Put ? in the place of such a character.',
    });
  }
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    const missing = accessKeyId === undefined ? 'accessKeyId' : 'secretAccessKey';
    throw badField(
      `${connection}.${missing}`,
      'must be sent together with the other key. Send both, or neither for a bucket that everybody may read.',
    );
  }
  if (sessionToken !== undefined && accessKeyId === undefined) {
    throw badField(
      `${connection}.sessionToken`,
      'must be sent with accessKeyId and secretAccessKey. Send them, or leave it out.',
    );
  }
  const endpoint = sent.endpoint ?? amazonEndpoint(region);
  const problem =
    findOutboundUrlError(endpoint, allowsPrivate, true) ??
    (/^\/?$/.test(new URL(endpoint).pathname) && new URL(endpoint).search === ''
      ? undefined
      : 'must have neither a path nor a query string');
  if (problem !== undefined)
    throw badField(`${connection}.endpoint`, `${problem}. Send the address of an S3 service.`);
  return { ...sent, endpoint, pathStyle: sent.pathStyle ?? sent.endpoint !== undefined };
};
