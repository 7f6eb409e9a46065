import type { Db } from '../../platform/db/database.ts';
import type { LinkPurpose } from '../../platform/db/tables/accounts.ts';

interface LinkRow {
  id: string;
  accountId: string;
  purpose: LinkPurpose;
  secretHash: string;
  email: string;
  createdAt: Date;
  expiresAt: Date;
}

/** The links that can still be used. An account has at most one for each purpose. */
export const createAccountLinkRepository = (db: Db) => ({
  replace: async (link: LinkRow): Promise<void> => {
    const columns = {
      id: link.id,
      secret_hash: link.secretHash,
      email: link.email,
      created_at: link.createdAt,
      expires_at: link.expiresAt,
    };
    await db
      .insertInto('account_links')
      .values({ account_id: link.accountId, purpose: link.purpose, ...columns })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'purpose']).doUpdateSet((eb) => ({
          id: eb.ref('excluded.id'),
          secret_hash: eb.ref('excluded.secret_hash'),
          email: eb.ref('excluded.email'),
          created_at: eb.ref('excluded.created_at'),
          expires_at: eb.ref('excluded.expires_at'),
        })),
      )
      .execute();
  },

  find: (id: string): Promise<LinkRow | undefined> =>
    db
      .selectFrom('account_links')
      .select([
        'id',
        'account_id as accountId',
        'purpose',
        'secret_hash as secretHash',
        'email',
        'created_at as createdAt',
        'expires_at as expiresAt',
      ])
      .where('id', '=', id)
      .executeTakeFirst(),

  /** Deletes the link. Returns whether it still existed, so that only one of two concurrent callers succeeds. */
  take: async (id: string): Promise<boolean> => {
    const { numDeletedRows } = await db.deleteFrom('account_links').where('id', '=', id).executeTakeFirst();
    return numDeletedRows === 1n;
  },

  /** Whether the account got a link for the purpose after `since`. */
  hasSince: async (accountId: string, purpose: LinkPurpose, since: Date): Promise<boolean> => {
    const row = await db
      .selectFrom('account_links')
      .select('id')
      .where('account_id', '=', accountId)
      .where('purpose', '=', purpose)
      .where('created_at', '>', since)
      .executeTakeFirst();
    return row !== undefined;
  },

  removeAll: async (accountId: string): Promise<void> => {
    await db.deleteFrom('account_links').where('account_id', '=', accountId).execute();
  },
});
