import { tooLarge } from '@redoubt/errors';
import type { PersonShares } from './person-shares.ts';

/** The bytes of a request that were stored before it named its dataset, and so before the right to write was checked. */
export interface UnnamedBytes {
  /** Counts bytes until the dataset is named. @throws RedoubtError 413 beyond the share of the person */
  take(bytes: number): void;
  /** Stops counting the bytes. Call it when the right has been checked, and when the request ends. */
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
          `files must follow the part datasetId, got more than ${String(maxBytes)} bytes before it. Send datasetId first.`,
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
