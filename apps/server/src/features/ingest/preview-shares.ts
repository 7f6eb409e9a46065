import { tooMany } from '@redoubt/errors';
import type { Member } from '../../platform/auth/actor.ts';
import { createPersonShares, withShare } from '../../platform/http/protection/person-shares.ts';

/** The limits on concurrent previews, for one person and for the server: previews whose file arrives, and previews whose file is parsed. */
const arriving = { perPerson: 4 };
const parsing = { perPerson: 2, total: 6 };

const tooManyOf = (exhausted: 'person' | 'server'): Error =>
  tooMany(
    exhausted === 'person'
      ? 'You have too many previews running. Wait until one of them has ended, then send the request again.'
      : 'Too many files are being previewed. Send the request again in a few seconds.',
    2,
  );

type RunWithShare = <Result>(actor: Member, work: () => Promise<Result>) => Promise<Result>;

/** Limits how many previews a person, and all people, run at once. */
export interface PreviewShares {
  /** Runs work that receives a file and keeps it. @throws ForbiddenError 429 if the person has too many */
  whileArriving: RunWithShare;
  /** Runs work that parses a file. @throws ForbiddenError 429 if there are too many */
  whileParsing: RunWithShare;
}

export const createPreviewShares = (): PreviewShares => {
  const arrivals = createPersonShares(arriving);
  const parsers = createPersonShares(parsing);
  return {
    whileArriving: ({ accountId }, work) => withShare(arrivals, accountId, tooManyOf, work),
    whileParsing: ({ accountId }, work) => withShare(parsers, accountId, tooManyOf, work),
  };
};
