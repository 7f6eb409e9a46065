import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { keepsCacheMark } from '../db/access-cache.ts';

export interface AuditChainRepository {
  /** The sealed end of each workspace's chain, by workspace. */
  all(): Promise<Map<string, string>>;
  find(workspaceUid: string): Promise<string | undefined>;
  put(workspaceUid: string, sealed: string): Promise<void>;
  /** Runs `work` under a lock, so that only one process on the database runs it at a time. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** An arbitrary number that no other advisory lock uses. */
const lockNumber = 7_236_915;

/** @param isShared whether other processes use the database too */
export const createAuditChainRepository = (db: Db, isShared: boolean): AuditChainRepository => ({
  all: async () => {
    const rows = await db.selectFrom('audit_chains').selectAll().execute();
    return new Map(rows.map(({ workspace_uid: uid, sealed }) => [uid, sealed]));
  },
  find: async (workspaceUid) => {
    const row = await db
      .selectFrom('audit_chains')
      .where('workspace_uid', '=', workspaceUid)
      .select('sealed')
      .executeTakeFirst();
    return row?.sealed;
  },
  put: async (workspaceUid, sealed) => {
    await sql`${keepsCacheMark} insert into audit_chains (workspace_uid, sealed) values (${workspaceUid}, ${sealed})
      on conflict (workspace_uid) do update set sealed = excluded.sealed`.execute(db);
  },
  // The embedded database has one connection and one process: a transaction would only block every other query.
  alone: (work) =>
    isShared
      ? db.transaction().execute(async (trx) => {
          await sql`select pg_advisory_xact_lock(${lockNumber})`.execute(trx);
          return work();
        })
      : work(),
});
