import { maxOpenUploads } from '@redoubt/contract';
import { tooMany } from '@redoubt/errors';
import { createPersonShares, withShare } from './person-shares.ts';

export interface OpenUploads {
  /** Runs work that receives an upload. @throws ForbiddenError 429 if the person has too many open */
  run<Result>(accountId: string, work: () => Promise<Result>): Promise<Result>;
}

const tooManyOpen = (): Error =>
  tooMany(
    `You may have at most ${String(maxOpenUploads)} uploads and previews open at once, got more. Wait until one of them has ended, then send the request again.`,
    2,
  );

export const createOpenUploads = (): OpenUploads => {
  const shares = createPersonShares({ perPerson: maxOpenUploads });
  return { run: (accountId, work) => withShare(shares, accountId, tooManyOpen, work) };
};
