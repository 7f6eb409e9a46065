import type { Db } from '../../platform/db/database.ts';

export interface ObjectDropRepository {
  /** A file that is about to be received: to be deleted if that never comes to its end. */
  announce(objectName: string, now: Date): Promise<void>;
  /** Files that will not come to their end. */
  giveUp(objectNames: readonly string[]): Promise<void>;
  /** The same for those that have been announced before a moment. */
  giveUpBefore(moment: Date): Promise<void>;
  /** Names of files to be deleted now. */
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
