import type { Db } from '../../platform/db/database.ts';

export interface PendingDropRepository {
  /** Ids of datasets whose record table is to be dropped now. */
  list(): Promise<string[]>;
  /** A dataset that is about to be made: to be dropped if that never comes to its end. */
  announce(datasetId: string): Promise<void>;
  /** A dataset whose record table is to be dropped now. */
  queue(datasetId: string): Promise<void>;
  /** Datasets that are being made will not be: their record tables are to be dropped now. */
  giveUpCreations(): Promise<void>;
  remove(datasetId: string): Promise<void>;
}

export const createPendingDropRepository = (db: Db): PendingDropRepository => ({
  list: async () => {
    const rows = await db
      .selectFrom('pending_drops')
      .where('creating', '=', false)
      .select('dataset_id')
      .orderBy('dataset_id')
      .execute();
    return rows.map(({ dataset_id: id }) => id);
  },
  announce: async (datasetId) => {
    await db.insertInto('pending_drops').values({ dataset_id: datasetId, creating: true }).execute();
  },
  queue: async (datasetId) => {
    await db
      .insertInto('pending_drops')
      .values({ dataset_id: datasetId })
      .onConflict((conflict) => conflict.column('dataset_id').doUpdateSet({ creating: false }))
      .execute();
  },
  giveUpCreations: async () => {
    await db.updateTable('pending_drops').set({ creating: false }).execute();
  },
  remove: async (datasetId) => {
    await db.deleteFrom('pending_drops').where('dataset_id', '=', datasetId).execute();
  },
});
