import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { textListSubquery } from '../../platform/db/text-list-subquery.ts';

/** Named queries of all processes on one database. Those of a process that has died count for some seconds. */
export interface RunningQueryRepository {
  add(query: { id: string; process: string; nameHash: string }): Promise<void>;
  remove(id: string): Promise<void>;
  /** Asks the other processes to cancel those of this name. @returns how many there are */
  cancelElsewhere(process: string, nameHash: string): Promise<number>;
  /** The ids of those that others have asked this process to cancel. */
  cancelled(process: string): Promise<string[]>;
  /** Says that these run still, and removes what processes that have died left long ago. */
  keep(ids: readonly string[]): Promise<void>;
}

/** Longer than a process is silent that says every few seconds that it lives, as long as the database is there. */
const isAlive = sql<boolean>`seen_at > now() - interval '30 seconds'`;

export const createRunningQueryRepository = (db: Db): RunningQueryRepository => ({
  add: async ({ id, process, nameHash }) => {
    await db.insertInto('running_queries').values({ id, process, name_hash: nameHash }).execute();
  },
  remove: async (id) => {
    await db.deleteFrom('running_queries').where('id', '=', id).execute();
  },
  cancelElsewhere: async (process, nameHash) => {
    const { numUpdatedRows } = await db
      .updateTable('running_queries')
      .set({ is_cancelled: true })
      .where('name_hash', '=', nameHash)
      .where('process', '!=', process)
      .where(isAlive)
      .executeTakeFirst();
    return Number(numUpdatedRows);
  },
  cancelled: async (process) => {
    const rows = await db
      .selectFrom('running_queries')
      .where('process', '=', process)
      .where('is_cancelled', '=', true)
      .select('id')
      .execute();
    return rows.map(({ id }) => id);
  },
  keep: async (ids) => {
    await sql`update running_queries set seen_at = now() where id in ${textListSubquery(ids)}`.execute(db);
    await sql`delete from running_queries where seen_at < now() - interval '1 day'`.execute(db);
  },
});
