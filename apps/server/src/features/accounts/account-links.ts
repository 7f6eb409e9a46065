import { createHash, timingSafeEqual } from 'node:crypto';
import type { Db } from '../../platform/db/database.ts';
import type { LinkPurpose } from '../../platform/db/tables/accounts.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { createAccountLinkRepository } from './account-link.repository.ts';

/** What a link was given for. */
export interface OpenLink {
  accountId: string;
  purpose: LinkPurpose;
  /** The address that it was sent to; '' where an operator got it. */
  email: string;
}

/** Links that prove who somebody is: each can be used once, for a short time, and is kept as a hash alone. */
export interface AccountLinks {
  /** Makes a link, which takes the place of the account's earlier one of that purpose; gives its token. */
  issue(db: Db, link: OpenLink, expiresAt: Date): Promise<string>;
  /** What the token is for, if it is good for one of these purposes; it stays good. */
  look(db: Db, token: string, purposes: readonly LinkPurpose[]): Promise<OpenLink | undefined>;
  /** The same, and it is good no more. */
  use(db: Db, token: string, purposes: readonly LinkPurpose[]): Promise<OpenLink | undefined>;
  /** Makes all links of the account good for nothing. */
  revokeAll(db: Db, accountId: string): Promise<void>;
}

const idBytes = 12;
const secretBytes = 32;
const idLength = 16;

/** The secret carries 256 bits of chance, so a plain hash of it tells nobody anything. */
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

const isSame = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other));

export const createAccountLinks = ({ clock, random }: Pick<Runtime, 'clock' | 'random'>): AccountLinks => {
  const look: AccountLinks['look'] = async (db, token, purposes) => {
    const found = await createAccountLinkRepository(db).find(token.slice(0, idLength));
    if (found === undefined || !isSame(hashOf(token.slice(idLength)), found.secretHash)) return undefined;
    if (found.expiresAt <= clock.now() || !purposes.includes(found.purpose)) return undefined;
    const { accountId, purpose, email } = found;
    return { accountId, purpose, email };
  };
  return {
    issue: async (db, { accountId, purpose, email }, expiresAt) => {
      const id = random.bytes(idBytes).toString('base64url');
      const secret = random.bytes(secretBytes).toString('base64url');
      await createAccountLinkRepository(db).replace({
        id,
        accountId,
        purpose,
        email,
        secretHash: hashOf(secret),
        createdAt: clock.now(),
        expiresAt,
      });
      return id + secret;
    },
    look,
    use: async (db, token, purposes) => {
      const link = await look(db, token, purposes);
      if (link === undefined) return undefined;
      // Of two who use it at once, one takes it away.
      return (await createAccountLinkRepository(db).take(token.slice(0, idLength))) ? link : undefined;
    },
    revokeAll: (db, accountId) => createAccountLinkRepository(db).removeAll(accountId),
  };
};
