import { insertAccount } from '../../platform/auth/account.repository.ts';
import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import type { Provider } from './provider.ts';
import type { ProvenIdentity } from './proven-identity.ts';

/** An account that is linked to an identity at a provider. */
export interface LinkedAccount {
  identityId: string;
  accountId: string;
  email: string;
}

type At = Pick<Provider, 'strategy' | 'own'>;
type Subject = Pick<ProvenIdentity, 'issuer' | 'subject'>;

const linksAt = (db: Db, { strategy, own }: At, issuer: string) =>
  db
    .selectFrom('account_identities')
    .where('account_identities.strategy', '=', strategy)
    .where('account_identities.issuer', '=', issuer)
    .where(sql<boolean>`provider_id is not distinct from ${own?.id ?? null}`);

export type IdentityRepository = ReturnType<typeof createIdentityRepository>;

/** Links between accounts and identities at providers. */
export const createIdentityRepository = (db: Db) => ({
  findLinked: (at: At, { issuer, subject }: Subject): Promise<LinkedAccount | undefined> =>
    linksAt(db, at, issuer)
      .innerJoin('accounts', 'accounts.id', 'account_identities.account_id')
      .where('account_identities.subject', '=', subject)
      .select(['account_identities.id as identityId', 'accounts.id as accountId', 'accounts.email'])
      .executeTakeFirst(),

  /** Whether the account is linked to any identity at this provider. */
  isLinked: async (at: At, issuer: string, accountId: string): Promise<boolean> => {
    const row = await linksAt(db, at, issuer)
      .where('account_identities.account_id', '=', accountId)
      .select('account_identities.id')
      .executeTakeFirst();
    return row !== undefined;
  },

  /** @param email in lower case */
  findAccount: (email: string): Promise<{ id: string; email: string; verified: boolean } | undefined> =>
    db
      .selectFrom('accounts')
      .select(['id', 'email', 'verified'])
      .where('email', '=', email)
      .executeTakeFirst(),

  /**
   * Links an existing account if it has this address and the address is verified.
   * @returns whether it was linked
   * @throws a unique violation if the account or the identity is already linked
   */
  link: async (
    at: At,
    identity: Subject & { email: string },
    { identityId, accountId, now }: { identityId: string; accountId: string; now: Date },
  ): Promise<boolean> => {
    const { numAffectedRows } = await sql`with proven as (
        select id from accounts where id = ${accountId} and email = ${identity.email} and verified for share
      )
      insert into account_identities (id, account_id, strategy, provider_id, issuer, subject, created_at)
      select ${identityId}::text, id, ${at.strategy}::text, ${at.own?.id ?? null}::text, ${identity.issuer}::text,
        ${identity.subject}::text, ${now}::timestamptz
      from proven`.execute(db);
    return numAffectedRows === 1n;
  },

  /**
   * Creates an account without a password for an identity, with the address that the provider has verified.
   * @param at the provider to link the account to; undefined links it to none
   * @throws a unique violation if the address is taken or the identity is already linked
   */
  createAccount: (
    at: At | undefined,
    { issuer, subject, email, firstName, lastName }: ProvenIdentity & { email: string },
    { identityId, accountId, now }: { identityId: string; accountId: string; now: Date },
  ): Promise<void> =>
    db.transaction().execute(async (trx) => {
      await insertAccount(trx, {
        id: accountId,
        email,
        firstName,
        lastName,
        passwordHash: null,
        passwordChosenIn: null,
        verified: true,
        now,
      });
      if (at === undefined) return;
      await trx
        .insertInto('account_identities')
        .values({
          id: identityId,
          account_id: accountId,
          strategy: at.strategy,
          provider_id: at.own?.id ?? null,
          issuer,
          subject,
          created_at: now,
        })
        .execute();
    }),
});
