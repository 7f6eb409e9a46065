import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { keepsCacheMark } from '../db/access-cache.ts';
import { textListSubquery } from '../db/text-list-subquery.ts';

export interface OutboxRow {
  position: string | number;
  id: string;
  workspaceUid: string;
  event: string;
}

export interface AuditOutbox {
  /** Adds events in the order given; ignores those that are in the outbox already. */
  add(rows: readonly Omit<OutboxRow, 'position'>[]): Promise<void>;
  oldest(limit: number): Promise<OutboxRow[]>;
  remove(rows: readonly OutboxRow[]): Promise<void>;
}

/** Its statements do not invalidate the cache, since no cached value depends on the outbox. */
export const createAuditOutbox = (db: Db): AuditOutbox => ({
  add: async (rows) => {
    const values = rows.map(({ id, workspaceUid, event }) => sql`(${id}, ${workspaceUid}, ${event})`);
    await sql`${keepsCacheMark} insert into audit_outbox (id, workspace_uid, event) values ${sql.join(values)}
      on conflict (id) do nothing`.execute(db);
  },
  oldest: (limit) =>
    db
      .selectFrom('audit_outbox')
      .select(['position', 'id', 'workspace_uid as workspaceUid', 'event'])
      .orderBy('position')
      .limit(limit)
      .execute(),
  remove: async (rows) => {
    const ids = rows.map(({ id }) => id);
    await sql`${keepsCacheMark} delete from audit_outbox where id in ${textListSubquery(ids)}`.execute(db);
  },
});
