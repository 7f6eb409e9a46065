import type { ListQuery } from '@redoubt/contract';
import { sql, type Insertable, type Selectable } from 'kysely';
import type { Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';
import type { ConnectionTable } from '../../platform/db/tables/connections.ts';
import { connectionsVisibleTo, splitBits, type ConnectionAccessRow } from './connection-access.repository.ts';

/** The new values of a connection. `tested_at` is null if it must be tested again. */
export type ConnectionChange = Pick<
  Selectable<ConnectionTable>,
  'allowed' | 'minimum_label' | 'name' | 'sealed_info' | 'target' | 'tested_at' | 'updated_at'
>;

export interface ConnectionRepository {
  list(actor: Member, list: ListQuery): Promise<Page<ConnectionAccessRow>>;
  create(connection: Insertable<ConnectionTable>): Promise<void>;
  /** Reads a connection and locks it until the end of the transaction. */
  lock(workspaceUid: string, id: string): Promise<Selectable<ConnectionTable> | undefined>;
  update(workspaceUid: string, id: string, change: ConnectionChange): Promise<void>;
  /** Notes a test that succeeded, unless the connection was changed since it was read. */
  setTested(
    tested: Pick<ConnectionTable, 'allowed' | 'sealed_info'> & { id: string },
    now: Date,
  ): Promise<void>;
  remove(workspaceUid: string, id: string): Promise<void>;
}

const columnsOf = (actor: Member) => ({
  id: sql.ref('connections.id'),
  name: sql.ref('connections.name'),
  type: sql.ref('connections.type'),
  userId: sql.ref('connections.created_by'),
  workspaceId: sql`${actor.workspace.slug}::text`,
});

export const createConnectionRepository = (db: Db): ConnectionRepository => ({
  list: async (actor, list) => {
    const visible = connectionsVisibleTo(db, actor);
    const page = await readPage(visible, list, columnsOf(actor), sql.ref('connections.id'));
    return { ...page, data: page.data.map(splitBits) };
  },
  create: async (connection) => {
    await db.insertInto('connections').values(connection).execute();
  },
  lock: (workspaceUid, id) =>
    db
      .selectFrom('connections')
      .where('workspace_uid', '=', workspaceUid)
      .where('id', '=', id)
      .selectAll()
      .forUpdate()
      .executeTakeFirst(),
  update: async (workspaceUid, id, change) => {
    await db
      .updateTable('connections')
      .set(change)
      .where('workspace_uid', '=', workspaceUid)
      .where('id', '=', id)
      .execute();
  },
  setTested: async ({ id, allowed, sealed_info: sealedInfo }, now) => {
    await db
      .updateTable('connections')
      .set({ tested_at: now })
      .where('id', '=', id)
      .where('sealed_info', '=', sealedInfo)
      .where(sql<boolean>`allowed is not distinct from ${allowed}`)
      .execute();
  },
  remove: async (workspaceUid, id) => {
    await db
      .deleteFrom('connections')
      .where('workspace_uid', '=', workspaceUid)
      .where('id', '=', id)
      .execute();
  },
});
