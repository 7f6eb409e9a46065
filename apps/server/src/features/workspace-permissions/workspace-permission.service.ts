import {
  permissionCodes,
  type ListQuery,
  type PermissionCode,
  type WorkspacePermission,
  type WorkspacePermissionAssignment,
  type WorkspacePermissionAssignmentCreate,
} from '@redoubt/contract';
import { badField, conflict, forbidden, notFound } from '@redoubt/errors';
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

/** The code that both fields name. */
const readCode = ({
  workspacePermissionsId: id,
  workspacePermissionsCode: sent,
}: WorkspacePermissionAssignmentCreate): PermissionCode => {
  const code = permissionCodes.find((known) => known === sent);
  if (code === undefined) {
    throw badField(
      'workspacePermissionsCode',
      `"${sent}" is no permission. Send one of: ${permissionCodes.join(', ')}.`,
    );
  }
  if (permissionOf(code).id !== id) {
    throw badField(
      'workspacePermissionsId',
      `"${id}" is not the id of "${code}". Send "${permissionOf(code).id}".`,
    );
  }
  return code;
};

/** Nobody gives or takes what is beyond them: then manage-users would be as good as being an admin. */
const requireHeld = (actor: Member, code: PermissionCode): void => {
  if (!hasPermission(actor, code)) {
    throw forbidden(
      `workspacePermissionsCode: you do not hold "${code}", and nobody gives or takes what they lack: ask an admin.`,
    );
  }
};

const eventOf = (deed: string, toward: string, { id, userId, code }: AssignmentRow): AuditEvent => ({
  type: 'UserManagement',
  description: `${deed} the permission ${code} ${toward} somebody`,
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
      requireCall(actor, 'createWorkspacePermissionAssignment', 'give permissions to people');
      const code = readCode(body);
      const { userId } = body;
      if (userId === actor.accountId) {
        throw forbidden(
          `userId: "${userId}" is you, and nobody gives themselves a permission: ask another admin.`,
        );
      }
      requireHeld(actor, code);
      if (!(await isMember(actor.workspace.uniqueId, userId))) throw notFound('user', userId);
      const row = { id: ids.uuid(), userId, code };
      try {
        await audited(actor, eventOf('gave', 'to', row), (repository) =>
          repository.create(actor.workspace.uniqueId, row, actor.accountId, clock.now()),
        );
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw conflict(
          `The user "${userId}" holds the permission "${code}" already: there is nothing to do.`,
        );
      }
      return present(actor, row);
    },
    remove: async (actor, id) => {
      const row = await find(actor, id);
      const isOwn = row.userId === actor.accountId;
      requireCall(
        actor,
        'deleteWorkspacePermissionAssignment',
        'take permissions from people',
        isOwn ? ['self'] : [],
      );
      if (!isOwn) requireHeld(actor, row.code);
      await audited(actor, eventOf('took', 'from', row), (repository) =>
        repository.remove(actor.workspace.uniqueId, id),
      );
      return present(actor, row);
    },
  };
};
