import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/** Throws unless the metadata database responds. */
export const createHealthRepository = (db: Db) => ({
  ping: async (): Promise<void> => {
    await sql`select 1`.execute(db);
  },
});
