/* Shows: A-s3-addresses */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findEscapingKeys, findOwnAddresses, refuseOwnStore, type OwnStore } from './own-store.ts';
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

test("the server's own service is refused whatever the bucket, except for shared buckets and Amazon's service", () => {
  const minio = { endpoint: 'http://minio.internal:9000', bucket: 'own', sharedBuckets: ['shared', 'own'] };
  assert.deepEqual(
    [
      isRefused(minio, { bucket: 'other', endpoint: 'http://minio.internal:9000' }),
      isRefused(minio, { bucket: 'other', endpoint: 'https://minio.internal' }),
      isRefused(minio, { bucket: 'other', endpoint: 'http://other.minio.internal:9000' }),
      isRefused(minio, { bucket: 'own', endpoint: 'http://minio.internal:9000' }),
      isRefused(minio, { bucket: 'shared', endpoint: 'http://own.minio.internal:9000' }),
      isRefused(minio, { bucket: 'shared', endpoint: 'http://minio.internal:9000' }),
      isRefused({ endpoint: undefined, bucket: 'own' }, { bucket: 'other' }),
      isRefused({ endpoint: 'https://s3.eu-west-1.amazonaws.com', bucket: 'own' }, { bucket: 'other' }),
      isRefused({ endpoint: 'https://s3.eu-west-1.amazonaws.com', bucket: 'own' }, { bucket: 'own' }),
    ],
    [true, true, true, true, true, false, false, false, true],
  );
});

test('buckets of another service are not refused, whatever their name', () => {
  const minio = { endpoint: 'http://minio.internal:9000', bucket: 'own' };
  assert.deepEqual(
    [
      isRefused({ endpoint: undefined, bucket: 'own' }, { bucket: 'own', endpoint: 'http://minio.internal' }),
      isRefused(minio, { bucket: 'own' }),
      isRefused(minio, { bucket: 'other', endpoint: 'http://minio.other:9000' }),
      isRefused(minio, { bucket: 'other', endpoint: 'http://minio.internal:9001' }),
    ],
    [false, false, false, false],
  );
});

test("addresses of the server's own service are found under another name, also behind a proxy on a usual port", async () => {
  const own = { endpoint: 'http://127.0.0.1:9000', bucket: 'own', sharedBuckets: ['shared'] };
  const isOwn = async (bucket: string, port: number): Promise<boolean> => {
    const endpoint = `http://alias.internal:${String(port)}`;
    const find = await findOwnAddresses(
      readS3Connection({ region: 'us-east-1', bucket, endpoint }, true),
      own,
    );
    assert.equal(find('192.0.2.1'), false);
    return find('127.0.0.1');
  };
  assert.deepEqual(
    [
      await isOwn('own', 9000),
      await isOwn('other', 9000),
      await isOwn('other', 443),
      await isOwn('other', 80),
    ],
    [true, true, true, true],
  );
  assert.deepEqual([await isOwn('shared', 9000), await isOwn('other', 9001)], [false, false]);
});

test("keys that lead out of a shared bucket are found, since the server's own bucket may be beside it", () => {
  const own = { endpoint: 'http://minio.internal:9000', bucket: 'own', sharedBuckets: ['shared'] };
  const escapes = (bucket: string): boolean[] => {
    const find = findEscapingKeys(readS3Connection({ region: 'us-east-1', bucket }, true), own);
    return ['../own/a', 'a/../../own/b', './a', 'a\\..\\b', 'a..b/c.d/...'].map(find);
  };
  assert.deepEqual(escapes('shared'), [true, true, true, true, false]);
  assert.deepEqual(escapes('other'), [false, false, false, false, false]);
});
