import type { ConnectionAction, ConnectionPermission, ListQuery } from '@redoubt/contract';
import { sql } from 'kysely';
import type { Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';
import { groupSubjectOf, selectMemberGroups } from '../groups/index.ts';
import { connectionBits, selectConnectionBits } from './connection-access.repository.ts';

export interface ConnectionPermissionRepository {
  list(actor: Member, list: ListQuery): Promise<Page<ConnectionPermission>>;
  /** Returns the permission if the actor manages its connection or is in its group. */
  find(actor: Member, id: string): Promise<ConnectionPermission | undefined>;
  create(permission: ConnectionPermission, workspaceUid: string, createdAt: Date): Promise<void>;
  remove(workspaceUid: string, id: string): Promise<void>;
}

const columns = {
  id: sql.ref<string>('connection_permissions.id'),
  action: sql.ref<ConnectionAction>('connection_permissions.action'),
  connectionId: sql.ref<string>('connection_permissions.connection_id'),
  groupId: sql.ref<string>('connection_permissions.group_id'),
};

const visibleTo = (db: Db, actor: Member) =>
  db
    .selectFrom('connection_permissions')
    .innerJoin('connections', 'connections.id', 'connection_permissions.connection_id')
    .where('connection_permissions.workspace_uid', '=', actor.workspace.uniqueId)
    .where(sql<boolean>`(${selectConnectionBits(db, actor)}) <> 0`)
    .where((row) =>
      row.or([
        sql<boolean>`(${selectConnectionBits(db, actor)}) & ${connectionBits.manage}::integer <> 0`,
        row('connection_permissions.group_id', 'in', selectMemberGroups(db, groupSubjectOf(actor))),
      ]),
    )
    .select([
      columns.id.as('id'),
      columns.action.as('action'),
      columns.connectionId.as('connectionId'),
      columns.groupId.as('groupId'),
    ]);

export const createConnectionPermissionRepository = (db: Db): ConnectionPermissionRepository => ({
  list: (actor, list) => readPage(visibleTo(db, actor), list, columns, columns.id),
  find: (actor, id) => visibleTo(db, actor).where('connection_permissions.id', '=', id).executeTakeFirst(),
  create: async ({ id, action, connectionId, groupId }, workspaceUid, createdAt) => {
    await db
      .insertInto('connection_permissions')
      .values({
        id,
        workspace_uid: workspaceUid,
        connection_id: connectionId,
        group_id: groupId,
        action,
        created_at: createdAt,
      })
      .execute();
  },
  remove: async (workspaceUid, id) => {
    await db
      .deleteFrom('connection_permissions')
      .where('workspace_uid', '=', workspaceUid)
      .where('id', '=', id)
      .execute();
  },
});
