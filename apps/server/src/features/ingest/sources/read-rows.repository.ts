import type { Db } from '../../../platform/db/database.ts';
import { textListSubquery } from '../../../platform/db/text-list-subquery.ts';
import type { ReadRows } from './source.ts';

/** Keeps the versions of rows that jobs have read, for the jobs that continue from them. */
export interface ReadRowsRepository {
  /** @param id identifies the attempt to read the file */
  of(fileId: string, id: string): ReadRows;
  /** Removes what a failed attempt has added. */
  discard(id: string): Promise<void>;
}

export const createReadRowsRepository = (db: Db): ReadRowsRepository => ({
  of: (fileId, id) => ({
    id,
    find: async (earlierId, hashes) => {
      if (earlierId === undefined || hashes.length === 0) return new Set();
      const rows = await db
        .selectFrom('ingest_read_rows')
        .where('attempt', '=', earlierId)
        .where('hash', 'in', textListSubquery(hashes))
        .select('hash')
        .execute();
      return new Set(rows.map(({ hash }) => hash));
    },
    add: async (hashes) => {
      if (hashes.length === 0) return;
      await db
        .insertInto('ingest_read_rows')
        .values([...new Set(hashes)].map((hash) => ({ attempt: id, hash, file_id: fileId })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  }),
  discard: async (id) => {
    await db.deleteFrom('ingest_read_rows').where('attempt', '=', id).execute();
  },
});
