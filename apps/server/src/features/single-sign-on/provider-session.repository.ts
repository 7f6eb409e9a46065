import type { Db } from '../../platform/db/database.ts';

/** Sessions and grants that depend on an identity provider of a workspace. */
export const createProviderSessionRepository = (trx: Db) => ({
  /** Ends open sessions through the provider, and revokes grants that were made in them. @returns how many of both */
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
