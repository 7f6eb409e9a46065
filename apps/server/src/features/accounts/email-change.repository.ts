import type { Db } from '../../platform/db/database.ts';

export interface EmailChangeRow {
  newEmail: string;
  oldConfirmed: boolean;
  newConfirmed: boolean;
  expiresAt: Date;
}

/** The pending change of an account's email address; an account has at most one. */
export const createEmailChangeRepository = (db: Db) => ({
  find: (accountId: string): Promise<EmailChangeRow | undefined> =>
    db
      .selectFrom('email_changes')
      .select([
        'new_email as newEmail',
        'old_confirmed as oldConfirmed',
        'new_confirmed as newConfirmed',
        'expires_at as expiresAt',
      ])
      .where('account_id', '=', accountId)
      .executeTakeFirst(),

  create: async (accountId: string, newEmail: string, expiresAt: Date): Promise<void> => {
    await db
      .insertInto('email_changes')
      .values({
        account_id: accountId,
        new_email: newEmail,
        old_confirmed: false,
        new_confirmed: false,
        expires_at: expiresAt,
      })
      .execute();
  },

  confirm: async (accountId: string, at: 'old' | 'new'): Promise<void> => {
    await db
      .updateTable('email_changes')
      .set(at === 'old' ? { old_confirmed: true } : { new_confirmed: true })
      .where('account_id', '=', accountId)
      .execute();
  },

  remove: async (accountId: string): Promise<void> => {
    await db.deleteFrom('email_changes').where('account_id', '=', accountId).execute();
    await db
      .deleteFrom('account_links')
      .where('account_id', '=', accountId)
      .where('purpose', 'in', ['leave-email', 'take-email'])
      .execute();
  },
});
