import type {
  DatasetPermission,
  DatasetPermissionCreate,
  DatasetPermissionPatch,
  ListQuery,
} from '@redoubt/contract';
import { conflict, notFound } from '@redoubt/errors';
import type { AuditEvent, AuditedChange } from '../../platform/audit/index.ts';
import type { Member } from '../../platform/auth/actor.ts';
import { refuseChanges } from '../../platform/auth/guards.ts';
import { isUniqueViolation } from '../../platform/db/database.ts';
import type { Page } from '../../platform/db/list.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { FindVisibleGroup } from '../groups/index.ts';
import type { DatasetAccess } from './dataset-access.ts';
import type { DatasetPermissionRepository } from './dataset-permission.repository.ts';

export interface DatasetPermissionService {
  list(actor: Member, list: ListQuery): Promise<Page<DatasetPermission>>;
  get(actor: Member, id: string): Promise<DatasetPermission>;
  create(actor: Member, body: DatasetPermissionCreate): Promise<DatasetPermission>;
  patch(actor: Member, id: string, body: DatasetPermissionPatch): Promise<DatasetPermission>;
  remove(actor: Member, id: string): Promise<DatasetPermission>;
}

/** An actor who sees a grant without managing the dataset is in the group of the grant. */
const groupMember = ['group-member'] as const;

/** Rejects a duplicate grant: revoking one of two equal grants would have no effect. */
const rejectDuplicate = async (
  { action, groupId, datasetId }: DatasetPermission,
  change: () => Promise<void>,
): Promise<void> => {
  try {
    await change();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw conflict(
      `The group "${groupId}" already has "${action}" on the dataset "${datasetId}". There is nothing to do.`,
    );
  }
};

const eventOf = (change: string, { id, action, datasetId, groupId }: DatasetPermission): AuditEvent => ({
  type: 'DatasetManagement',
  description: `${change} ${action} on a dataset for a group`,
  datasetId,
  details: { permissionId: id, action, groupId },
});

export const createDatasetPermissionService = ({
  permissions,
  audited,
  access,
  findVisibleGroup,
  ids,
  clock,
}: {
  permissions: Pick<DatasetPermissionRepository, 'find' | 'list'>;
  audited: AuditedChange<DatasetPermissionRepository>;
  access: DatasetAccess;
  findVisibleGroup: FindVisibleGroup;
} & Pick<Runtime, 'ids' | 'clock'>): DatasetPermissionService => {
  const get = async (actor: Member, id: string): Promise<DatasetPermission> => {
    const permission = await permissions.find(actor, id);
    if (permission === undefined) throw notFound('dataset permission', id);
    return permission;
  };
  /** Only visible groups can get grants, so that a grant does not disclose hidden groups. */
  const requireGroup = async (actor: Member, groupId: string): Promise<void> => {
    if ((await findVisibleGroup(actor, groupId)) === undefined) throw notFound('group', groupId);
  };
  return {
    list: (actor, list) => permissions.list(actor, list),
    get,
    create: async (actor, { action, datasetId, groupId }) => {
      await access.requireCall(actor, datasetId, 'createDatasetPermission');
      await requireGroup(actor, groupId);
      const permission = { id: ids.uuid(), action, datasetId, groupId };
      await rejectDuplicate(permission, () =>
        audited(actor, eventOf('granted', permission), (repository) =>
          repository.create(permission, actor.workspace.uniqueId, clock.now()),
        ),
      );
      return permission;
    },
    patch: async (actor, id, { action, groupId, ...fixed }) => {
      const permission = await get(actor, id);
      await access.requireCall(actor, permission.datasetId, 'patchDatasetPermission', groupMember);
      refuseChanges({ id, datasetId: permission.datasetId }, fixed);
      const changed = {
        ...permission,
        action: action ?? permission.action,
        groupId: groupId ?? permission.groupId,
      };
      await requireGroup(actor, changed.groupId);
      await rejectDuplicate(changed, () =>
        audited(actor, eventOf('changed to', changed), (repository) =>
          repository.update(actor.workspace.uniqueId, changed),
        ),
      );
      return changed;
    },
    remove: async (actor, id) => {
      const permission = await get(actor, id);
      await access.requireCall(actor, permission.datasetId, 'deleteDatasetPermission', groupMember);
      await audited(actor, eventOf('revoked', permission), (repository) =>
        repository.remove(actor.workspace.uniqueId, id),
      );
      return permission;
    },
  };
};
