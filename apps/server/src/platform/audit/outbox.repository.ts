import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { unremembered } from '../db/remembered.ts';
import { listed } from '../db/listed.ts';

export interface OutboxRow {
  position: string | number;
  id: string;
  workspaceUid: string;
  event: string;
}

export interface AuditOutbox {
  /** Adds events, in the order given; those that are there already stay as they are. */
  add(rows: readonly Omit<OutboxRow, 'position'>[]): Promise<void>;
  oldest(limit: number): Promise<OutboxRow[]>;
  remove(rows: readonly OutboxRow[]): Promise<void>;
}

/** Nothing of it is remembered, so its changes leave what is remembered as it is. */
export const createAuditOutbox = (db: Db): AuditOutbox => ({
  add: async (rows) => {
    const values = rows.map(({ id, workspaceUid, event }) => sql`(${id}, ${workspaceUid}, ${event})`);
    await sql`${unremembered} insert into audit_outbox (id, workspace_uid, event) values ${sql.join(values)}
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
    await sql`${unremembered} delete from audit_outbox where id in ${listed(ids)}`.execute(db);
  },
});
