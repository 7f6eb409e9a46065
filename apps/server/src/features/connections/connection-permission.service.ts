import type { ConnectionPermission, ConnectionPermissionCreate, ListQuery } from '@redoubt/contract';
import { conflict, notFound } from '@redoubt/errors';
import type { AuditEvent, AuditedChange } from '../../platform/audit/index.ts';
import type { Member } from '../../platform/auth/actor.ts';
import { isUniqueViolation } from '../../platform/db/database.ts';
import type { Page } from '../../platform/db/list.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { FindVisibleGroup } from '../groups/index.ts';
import type { RequireConnection } from './connection-access.ts';
import type { ConnectionPermissionRepository } from './connection-permission.repository.ts';

export interface ConnectionPermissionService {
  list(actor: Member, list: ListQuery): Promise<Page<ConnectionPermission>>;
  get(actor: Member, id: string): Promise<ConnectionPermission>;
  create(actor: Member, body: ConnectionPermissionCreate): Promise<ConnectionPermission>;
  remove(actor: Member, id: string): Promise<ConnectionPermission>;
}

const eventOf = (change: string, permission: ConnectionPermission): AuditEvent => ({
  type: 'WorkspaceManagement',
  description: `${change} ${permission.action} on a connection for a group`,
  details: {
    permissionId: permission.id,
    action: permission.action,
    connectionId: permission.connectionId,
    groupId: permission.groupId,
  },
});

export const createConnectionPermissionService = ({
  permissions,
  audited,
  requireConnection,
  findVisibleGroup,
  ids,
  clock,
}: {
  permissions: Pick<ConnectionPermissionRepository, 'find' | 'list'>;
  audited: AuditedChange<ConnectionPermissionRepository>;
  requireConnection: RequireConnection;
  findVisibleGroup: FindVisibleGroup;
} & Pick<Runtime, 'clock' | 'ids'>): ConnectionPermissionService => {
  const get = async (actor: Member, id: string): Promise<ConnectionPermission> => {
    const permission = await permissions.find(actor, id);
    if (permission === undefined) throw notFound('connection permission', id);
    return permission;
  };
  return {
    list: (actor, list) => permissions.list(actor, list),
    get,
    create: async (actor, { action, connectionId, groupId }) => {
      await requireConnection(actor, connectionId, 'createConnectionPermission');
      // Only visible groups can get grants, so that a grant does not disclose hidden groups.
      if ((await findVisibleGroup(actor, groupId)) === undefined) throw notFound('group', groupId);
      const permission = { id: ids.uuid(), action, connectionId, groupId };
      try {
        await audited(actor, eventOf('granted', permission), (repository) =>
          repository.create(permission, actor.workspace.uniqueId, clock.now()),
        );
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw conflict(
          `The group "${groupId}" already has "${action}" on the connection "${connectionId}". There is nothing to do.`,
        );
      }
      return permission;
    },
    remove: async (actor, id) => {
      const permission = await get(actor, id);
      await requireConnection(actor, permission.connectionId, 'deleteConnectionPermission', ['group-member']);
      await audited(actor, eventOf('revoked', permission), (repository) =>
        repository.remove(actor.workspace.uniqueId, id),
      );
      return permission;
    },
  };
};
