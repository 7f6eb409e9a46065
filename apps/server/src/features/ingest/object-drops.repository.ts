import type { Db } from '../../platform/db/database.ts';

export interface ObjectDropRepository {
  /** Announces a file that is about to be received. It is deleted if its receipt never completes. */
  announce(objectName: string, now: Date): Promise<void>;
  /** Marks files whose receipt has failed for deletion. */
  giveUp(objectNames: readonly string[]): Promise<void>;
  /** Marks all files that were announced before a time. */
  giveUpBefore(moment: Date): Promise<void>;
  /** Returns the names of files to delete now. */
  list(): Promise<string[]>;
  remove(objectName: string): Promise<void>;
}

export const createObjectDropRepository = (db: Db): ObjectDropRepository => ({
  announce: async (objectName, now) => {
    await db
      .insertInto('object_drops')
      .values({ object_name: objectName, is_receiving: true, created_at: now })
      .execute();
  },
  giveUp: async (objectNames) => {
    if (objectNames.length === 0) return;
    await db
      .updateTable('object_drops')
      .set({ is_receiving: false })
      .where('object_name', 'in', [...objectNames])
      .execute();
  },
  giveUpBefore: async (moment) => {
    await db
      .updateTable('object_drops')
      .set({ is_receiving: false })
      .where('is_receiving', '=', true)
      .where('created_at', '<=', moment)
      .execute();
  },
  list: async () => {
    const rows = await db
      .selectFrom('object_drops')
      .where('is_receiving', '=', false)
      .select('object_name')
      .orderBy('object_name')
      .execute();
    return rows.map(({ object_name: name }) => name);
  },
  remove: async (objectName) => {
    await db.deleteFrom('object_drops').where('object_name', '=', objectName).execute();
  },
});
