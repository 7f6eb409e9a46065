import {
  permissionCodes,
  type ListQuery,
  type PermissionCode,
  type WorkspacePermission,
  type WorkspacePermissionAssignment,
  type WorkspacePermissionAssignmentCreate,
} from '@redoubt/contract';
import { conflict, describeValue, forbidden, invalidField, notFound } from '@redoubt/errors';
import type { AuditEvent, AuditedChange } from '../../platform/audit/index.ts';
import { requireCall } from '../../platform/auth/access.ts';
import { hasPermission, type Member } from '../../platform/auth/actor.ts';
import { requireOwnWorkspace } from '../../platform/auth/guards.ts';
import type { IsMember } from '../../platform/auth/membership.repository.ts';
import { isUniqueViolation } from '../../platform/db/database.ts';
import type { Page } from '../../platform/db/list.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { AssignmentRow, PermissionAssignmentRepository } from './permission-assignment.repository.ts';
import { permissionOf } from './permission-list.ts';

export interface WorkspacePermissionService {
  listPermissions(list: ListQuery): Promise<Page<WorkspacePermission>>;
  list(actor: Member, list: ListQuery): Promise<Page<WorkspacePermissionAssignment>>;
  get(actor: Member, id: string): Promise<WorkspacePermissionAssignment>;
  create(actor: Member, body: WorkspacePermissionAssignmentCreate): Promise<WorkspacePermissionAssignment>;
  remove(actor: Member, id: string): Promise<WorkspacePermissionAssignment>;
}

const present = (actor: Member, row: AssignmentRow): WorkspacePermissionAssignment => {
  const { id, code, name, description } = permissionOf(row.code);
  const workspaceId = actor.workspace.slug;
  const permission = { workspacePermissionsId: id, workspacePermissionsCode: code, name, description };
  return { id: row.id, userId: row.userId, workspaceId, ...permission };
};

/** Returns the code of the permission, after checking that both fields name the same one. */
const parseCode = ({
  workspacePermissionsId: id,
  workspacePermissionsCode: sent,
}: WorkspacePermissionAssignmentCreate): PermissionCode => {
  const code = permissionCodes.find((known) => known === sent);
  if (code === undefined) {
    throw invalidField({
      field: 'workspacePermissionsCode',
      expected: `one of ${permissionCodes.join(', ')}`,
      got: describeValue(sent),
      advice: 'Send one of these values.',
    });
  }
  if (permissionOf(code).id !== id) {
    throw invalidField({
      field: 'workspacePermissionsId',
      expected: `the id of "${code}"`,
      got: describeValue(id),
      advice: `Send "${permissionOf(code).id}".`,
    });
  }
  return code;
};

/** People can assign and revoke only permissions that they hold: otherwise manage-users would amount to being an admin. */
const requireHeld = (actor: Member, code: PermissionCode): void => {
  if (!hasPermission(actor, code)) {
    throw forbidden(
      `workspacePermissionsCode: you do not hold "${code}", and people may assign or revoke only permissions that they hold. Ask an admin.`,
    );
  }
};

const eventOf = (action: string, preposition: string, { id, userId, code }: AssignmentRow): AuditEvent => ({
  type: 'UserManagement',
  description: `${action} the permission ${code} ${preposition} a user`,
  details: { assignmentId: id, userId, code },
});

export const createWorkspacePermissionService = ({
  assignments,
  audited,
  isMember,
  ids,
  clock,
}: {
  assignments: Pick<PermissionAssignmentRepository, 'find' | 'list' | 'listPermissions'>;
  audited: AuditedChange<PermissionAssignmentRepository>;
  isMember: IsMember;
} & Pick<Runtime, 'clock' | 'ids'>): WorkspacePermissionService => {
  const find = async (actor: Member, id: string): Promise<AssignmentRow> => {
    const row = await assignments.find(actor, id);
    if (row === undefined) throw notFound('assignment of a permission', id);
    return row;
  };
  return {
    listPermissions: (list) => assignments.listPermissions(list),
    list: async (actor, list) => {
      const page = await assignments.list(actor, list);
      return { ...page, data: page.data.map((row) => present(actor, row)) };
    },
    get: async (actor, id) => present(actor, await find(actor, id)),
    create: async (actor, body) => {
      requireOwnWorkspace(actor, body.workspaceId);
      requireCall(actor, 'createWorkspacePermissionAssignment', 'assign permissions');
      const code = parseCode(body);
      const { userId } = body;
      if (userId === actor.accountId) {
        throw forbidden(
          `userId: "${userId}" is you, and nobody may assign a permission to themselves. Ask another admin.`,
        );
      }
      requireHeld(actor, code);
      if (!(await isMember(actor.workspace.uniqueId, userId))) throw notFound('user', userId);
      const row = { id: ids.uuid(), userId, code };
      try {
        await audited(actor, eventOf('assigned', 'to', row), (repository) =>
          repository.create(actor.workspace.uniqueId, row, actor.accountId, clock.now()),
        );
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw conflict(
          `The user "${userId}" already holds the permission "${code}". There is nothing to do.`,
        );
      }
      return present(actor, row);
    },
    remove: async (actor, id) => {
      const row = await find(actor, id);
      const isOwn = row.userId === actor.accountId;
      requireCall(actor, 'deleteWorkspacePermissionAssignment', 'revoke permissions', isOwn ? ['self'] : []);
      if (!isOwn) requireHeld(actor, row.code);
      await audited(actor, eventOf('revoked', 'from', row), (repository) =>
        repository.remove(actor.workspace.uniqueId, id),
      );
      return present(actor, row);
    },
  };
};
