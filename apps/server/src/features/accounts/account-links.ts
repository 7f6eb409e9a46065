import { createHash, timingSafeEqual } from 'node:crypto';
import type { Db } from '../../platform/db/database.ts';
import type { LinkPurpose } from '../../platform/db/tables/accounts.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { createAccountLinkRepository } from './account-link.repository.ts';

/** A link that can still be used. */
export interface OpenLink {
  accountId: string;
  purpose: LinkPurpose;
  /** The address that it was sent to; '' if an operator got it. */
  email: string;
}

/** Links that prove a person's identity. Each works once and for a short time; only a hash of its secret is stored. */
export interface AccountLinks {
  /** Creates a link, which replaces the account's earlier one for that purpose. Returns its token. */
  issue(db: Db, link: OpenLink, expiresAt: Date): Promise<string>;
  /** Returns the link of a token that is valid for one of these purposes. It stays valid. */
  find(db: Db, token: string, purposes: readonly LinkPurpose[]): Promise<OpenLink | undefined>;
  /** As `find`, and makes the link invalid. */
  use(db: Db, token: string, purposes: readonly LinkPurpose[]): Promise<OpenLink | undefined>;
  /** Makes all links of the account invalid. */
  revokeAll(db: Db, accountId: string): Promise<void>;
}

const idBytes = 12;
const secretBytes = 32;
const idLength = 16;

/** The secret has 256 random bits, so a plain hash cannot be reversed by guessing. */
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

const isSame = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other));

export const createAccountLinks = ({ clock, random }: Pick<Runtime, 'clock' | 'random'>): AccountLinks => {
  const find: AccountLinks['find'] = async (db, token, purposes) => {
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
    find,
    use: async (db, token, purposes) => {
      const link = await find(db, token, purposes);
      if (link === undefined) return undefined;
      // Of two concurrent requests with the same token, only one succeeds.
      return (await createAccountLinkRepository(db).take(token.slice(0, idLength))) ? link : undefined;
    },
    revokeAll: (db, accountId) => createAccountLinkRepository(db).removeAll(accountId),
  };
};
