import {
  permissionCodes,
  type ListQuery,
  type PermissionCode,
  type WorkspacePermission,
} from '@redoubt/contract';
import { sql } from 'kysely';
import { isVisibleByRelation, canSeeAllObjects } from '../../platform/auth/access.ts';
import { hasPrivileges, type Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';
import { permissionOf } from './permission-list.ts';

export interface AssignmentRow {
  id: string;
  userId: string;
  code: PermissionCode;
}

export interface PermissionAssignmentRepository {
  /** Lists the fixed permissions, with the filters and sort keys of every list. */
  listPermissions(list: ListQuery): Promise<Page<WorkspacePermission>>;
  list(actor: Member, list: ListQuery): Promise<Page<AssignmentRow>>;
  /** Returns the assignment if the actor may see it. */
  find(actor: Member, id: string): Promise<AssignmentRow | undefined>;
  create(workspaceUid: string, row: AssignmentRow, createdBy: string, createdAt: Date): Promise<void>;
  remove(workspaceUid: string, id: string): Promise<void>;
}

const code = sql.ref<PermissionCode>('permission_assignments.code');

const columnsOf = (actor: Member) => ({
  id: sql.ref<string>('permission_assignments.id'),
  workspacePermissionsId: code,
  workspacePermissionsCode: code,
  userId: sql.ref<string>('permission_assignments.account_id'),
  workspaceId: sql<string>`${actor.workspace.slug}::text`,
});

const permissionColumns = {
  id: sql.ref<string>('permissions.id'),
  name: sql.ref<string>('permissions.name'),
  code: sql.ref<PermissionCode>('permissions.code'),
  description: sql.ref<string>('permissions.description'),
};

export const createPermissionAssignmentRepository = (db: Db): PermissionAssignmentRepository => {
  const visibleTo = (actor: Member) => {
    const { id, userId } = columnsOf(actor);
    const inWorkspace = db
      .selectFrom('permission_assignments')
      .where('permission_assignments.workspace_uid', '=', actor.workspace.uniqueId)
      .select([id.as('id'), userId.as('userId'), code.as('code')]);
    if (canSeeAllObjects(actor, 'getWorkspacePermissionAssignment')) return inWorkspace;
    // Keys and applications do not see the permissions of their user.
    const canSeeOwn = hasPrivileges(actor) && isVisibleByRelation('getWorkspacePermissionAssignment', 'self');
    if (!canSeeOwn) return inWorkspace.where(sql<boolean>`false`);
    return inWorkspace.where('permission_assignments.account_id', '=', actor.accountId);
  };
  return {
    listPermissions: (list) => {
      const all = permissionCodes.map(permissionOf);
      const rows = sql<WorkspacePermission>`(select * from jsonb_to_recordset(${JSON.stringify(all)}::jsonb)
        as permission(id text, name text, code text, description text))`;
      const query = db.selectFrom(rows.as('permissions')).selectAll();
      return readPage(query, list, permissionColumns, permissionColumns.id);
    },
    list: (actor, list) =>
      readPage(visibleTo(actor), list, columnsOf(actor), sql.ref('permission_assignments.id')),
    find: (actor, id) => visibleTo(actor).where('permission_assignments.id', '=', id).executeTakeFirst(),
    create: async (workspaceUid, row, createdBy, createdAt) => {
      await db
        .insertInto('permission_assignments')
        .values({
          id: row.id,
          workspace_uid: workspaceUid,
          account_id: row.userId,
          code: row.code,
          created_by: createdBy,
          created_at: createdAt,
        })
        .execute();
    },
    remove: async (workspaceUid, id) => {
      await db
        .deleteFrom('permission_assignments')
        .where('workspace_uid', '=', workspaceUid)
        .where('id', '=', id)
        .execute();
    },
  };
};
