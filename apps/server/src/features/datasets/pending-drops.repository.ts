import type { Db } from '../../platform/db/database.ts';

export interface PendingDropRepository {
  /** Returns the ids of datasets whose record table can be dropped now. */
  list(): Promise<string[]>;
  /** Records that a dataset is being created, so that its table is dropped if the creation never completes. */
  announce(datasetId: string): Promise<void>;
  /** Schedules the drop of a dataset's record table. */
  schedule(datasetId: string): Promise<void>;
  /** Discards all datasets in creation: schedules the drop of their record tables. */
  discardCreations(): Promise<void>;
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
  schedule: async (datasetId) => {
    await db
      .insertInto('pending_drops')
      .values({ dataset_id: datasetId })
      .onConflict((conflict) => conflict.column('dataset_id').doUpdateSet({ creating: false }))
      .execute();
  },
  discardCreations: async () => {
    await db.updateTable('pending_drops').set({ creating: false }).execute();
  },
  remove: async (datasetId) => {
    await db.deleteFrom('pending_drops').where('dataset_id', '=', datasetId).execute();
  },
});
