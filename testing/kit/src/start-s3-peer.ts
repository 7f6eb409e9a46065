import { startMoto } from './s3/moto.ts';
import type { TestS3Peer } from './s3/s3-peer.ts';
import { startVersitygw } from './s3/versitygw.ts';

export type { TestS3Peer } from './s3/s3-peer.ts';

/**
 * Starts an S3 service on a free port of loopback; a reason if it cannot be installed. It is moto, which starts fast and
 * takes any signature. With REDOUBT_TEST_S3=versitygw it is versitygw, which checks them.
 */
export const startS3Peer = (): Promise<TestS3Peer | { missing: string }> =>
  process.env['REDOUBT_TEST_S3'] === 'versitygw' ? startVersitygw() : startMoto();
