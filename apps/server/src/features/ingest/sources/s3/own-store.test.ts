import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refuseOwnStore, type OwnStore } from './own-store.ts';
import { readS3Connection } from './s3-connection.ts';

const isRefused = (own: OwnStore, sent: { bucket: string; endpoint?: string }): boolean => {
  try {
    refuseOwnStore(readS3Connection({ region: 'us-east-1', ...sent }, true), own);
    return false;
  } catch {
    return true;
  }
};

test("the server's own bucket is refused by all names that lead to it", () => {
  const amazon = { endpoint: undefined, bucket: 'own' };
  const minio = { endpoint: 'http://minio.internal:9000', bucket: 'own' };
  assert.deepEqual(
    [
      isRefused(amazon, { bucket: 'own' }),
      isRefused(amazon, { bucket: 'own', endpoint: 'https://s3.eu-west-1.amazonaws.com' }),
      isRefused(amazon, { bucket: 'other', endpoint: 'https://own.s3.amazonaws.com' }),
      isRefused(minio, { bucket: 'own', endpoint: 'http://minio.internal:9000' }),
      isRefused(minio, { bucket: 'own', endpoint: 'https://MINIO.internal' }),
      isRefused(minio, { bucket: 'other', endpoint: 'http://own.minio.internal:9000' }),
    ],
    [true, true, true, true, true, true],
  );
});

test('other buckets and the same name at another service are not refused', () => {
  const minio = { endpoint: 'http://minio.internal:9000', bucket: 'own' };
  assert.deepEqual(
    [
      isRefused({ endpoint: undefined, bucket: 'own' }, { bucket: 'other' }),
      isRefused({ endpoint: undefined, bucket: 'own' }, { bucket: 'own', endpoint: 'http://minio.internal' }),
      isRefused(minio, { bucket: 'own' }),
      isRefused(minio, { bucket: 'other', endpoint: 'http://minio.internal:9000' }),
    ],
    [false, false, false, false],
  );
});
