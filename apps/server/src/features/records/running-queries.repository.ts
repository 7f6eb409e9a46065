import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { textListSubquery } from '../../platform/db/text-list-subquery.ts';

/** The named queries of all processes on one database. Queries of a crashed process stay listed for 30 seconds. */
export interface RunningQueryRepository {
  add(query: { id: string; process: string; nameHash: string }): Promise<void>;
  remove(id: string): Promise<void>;
  /** Asks the other processes to cancel their queries with this name. @returns how many there are */
  cancelElsewhere(process: string, nameHash: string): Promise<number>;
  /** Returns the ids of this process's queries that another process asked to cancel. */
  cancelled(process: string): Promise<string[]>;
  /** Marks these queries as still running, and deletes what crashed processes left more than a day ago. */
  keep(ids: readonly string[]): Promise<void>;
}

/** Much longer than the few seconds between two calls of `keep`. */
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
