import type { Db } from '../../platform/db/database.ts';

/** The pictures of accounts, stored in base64 because backups contain rows as JSON. */
export const createPictureRepository = (db: Db) => ({
  set: async (accountId: string, picture: Buffer): Promise<void> => {
    const text = picture.toString('base64');
    await db
      .insertInto('account_pictures')
      .values({ account_id: accountId, picture: text })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ picture: text }))
      .execute();
  },

  find: async (accountId: string): Promise<Buffer | undefined> => {
    const row = await db
      .selectFrom('account_pictures')
      .select('picture')
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return row && Buffer.from(row.picture, 'base64');
  },

  /** Deletes the picture. Returns whether there was one. */
  remove: async (accountId: string): Promise<boolean> => {
    const { numDeletedRows } = await db
      .deleteFrom('account_pictures')
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  },
});

export type PictureRepository = ReturnType<typeof createPictureRepository>;
