import type { Db } from '../../platform/db/database.ts';

/** What rests on the word of an identity provider of a workspace. */
export const createProviderSessionRepository = (trx: Db) => ({
  /** Ends open sessions by the provider, and what was allowed to applications in them. @returns how many of both */
  end: async (providerId: string, now: Date): Promise<number> => {
    const links = trx.selectFrom('account_identities').where('provider_id', '=', providerId).select('id');
    const sessions = await trx
      .updateTable('sessions')
      .set({ revoked_at: now })
      .where('identity_id', 'in', links)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now)
      .executeTakeFirst();
    const grants = await trx
      .updateTable('application_grants')
      .set({ revoked_at: now })
      .where('identity_id', 'in', links)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    return Number(sessions.numUpdatedRows + grants.numUpdatedRows);
  },
});
