import type { Db } from '../../platform/db/database.ts';

export type SignInCodeRepository = ReturnType<typeof createSignInCodeRepository>;

/** Codes that browsers exchange for sessions. Only their hashes are stored. */
export const createSignInCodeRepository = (db: Db) => ({
  store: (code: { codeHash: string; proof: string; expiresAt: Date; now: Date }): Promise<void> =>
    db.transaction().execute(async (trx) => {
      await trx.deleteFrom('sign_in_codes').where('expires_at', '<=', code.now).execute();
      await trx
        .insertInto('sign_in_codes')
        .values({ code_hash: code.codeHash, proof: code.proof, expires_at: code.expiresAt })
        .execute();
    }),

  /** Deletes a code and returns its proof; undefined if it is unknown or has expired. */
  take: async (codeHash: string, now: Date): Promise<string | undefined> => {
    const row = await db
      .deleteFrom('sign_in_codes')
      .where('code_hash', '=', codeHash)
      .returning(['proof', 'expires_at'])
      .executeTakeFirst();
    return row !== undefined && row.expires_at > now ? row.proof : undefined;
  },
});
