import { tooLarge } from '@redoubt/errors';
import type { PersonShares } from './person-shares.ts';

/** The bytes of a request that were stored before it named its dataset, so before the right to write was checked. */
export interface UnnamedBytes {
  /** Counts bytes, unless the dataset is named. @throws RedoubtError 413 beyond the share of the person */
  take(bytes: number): void;
  /** To be called once the right is checked, and when the request has ended: the bytes count no more. */
  release(): void;
  isNamed(): boolean;
}

export const createUnnamedBytes = (
  shares: PersonShares,
  accountId: string,
  maxBytes: number,
): UnnamedBytes => {
  let taken = 0;
  let named = false;
  return {
    take: (bytes) => {
      if (named) return;
      if (shares.take(accountId, bytes) !== undefined) {
        throw tooLarge(
          `files: more than ${String(maxBytes)} bytes arrived before the part datasetId. Send datasetId before the files.`,
        );
      }
      taken += bytes;
    },
    release: () => {
      shares.giveBack(accountId, taken);
      taken = 0;
      named = true;
    },
    isNamed: () => named,
  };
};
