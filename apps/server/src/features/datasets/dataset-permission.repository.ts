import type { DatasetAction, DatasetPermission, ListQuery } from '@redoubt/contract';
import { sql } from 'kysely';
import type { Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';
import { selectMemberGroups, groupSubjectOf } from '../groups/index.ts';
import { datasetAccessBits, selectAccessBits } from './dataset-access.repository.ts';

export interface DatasetPermissionRepository {
  list(actor: Member, list: ListQuery): Promise<Page<DatasetPermission>>;
  /** Returns the permission if the actor manages its dataset or is in its group, and the dataset is in their scope. */
  find(actor: Member, id: string): Promise<DatasetPermission | undefined>;
  create(permission: DatasetPermission, workspaceUid: string, createdAt: Date): Promise<void>;
  update(workspaceUid: string, permission: DatasetPermission): Promise<void>;
  remove(workspaceUid: string, id: string): Promise<void>;
}

const columns = {
  id: sql.ref<string>('dataset_permissions.id'),
  action: sql.ref<DatasetAction>('dataset_permissions.action'),
  datasetId: sql.ref<string>('dataset_permissions.dataset_id'),
  groupId: sql.ref<string>('dataset_permissions.group_id'),
};

const visibleTo = (db: Db, actor: Member) => {
  return (
    db
      .selectFrom('dataset_permissions')
      .innerJoin('datasets', 'datasets.id', 'dataset_permissions.dataset_id')
      .where('dataset_permissions.workspace_uid', '=', actor.workspace.uniqueId)
      // An application with a list of datasets sees no others, whatever groups its user is in.
      .$if(actor.scope?.datasets !== undefined, (query) =>
        query.where(sql<boolean>`(${selectAccessBits(db, actor)}) <> 0`),
      )
      .where((row) =>
        row.or([
          sql<boolean>`(${selectAccessBits(db, actor)}) & ${datasetAccessBits.manage}::integer <> 0`,
          row('dataset_permissions.group_id', 'in', selectMemberGroups(db, groupSubjectOf(actor))),
        ]),
      )
      .select([
        columns.id.as('id'),
        columns.action.as('action'),
        columns.datasetId.as('datasetId'),
        columns.groupId.as('groupId'),
      ])
  );
};

export const createDatasetPermissionRepository = (db: Db): DatasetPermissionRepository => ({
  list: (actor, list) => readPage(visibleTo(db, actor), list, columns, columns.id),
  find: (actor, id) => visibleTo(db, actor).where('dataset_permissions.id', '=', id).executeTakeFirst(),
  create: async ({ id, action, datasetId, groupId }, workspaceUid, createdAt) => {
    await db
      .insertInto('dataset_permissions')
      .values({
        id,
        workspace_uid: workspaceUid,
        dataset_id: datasetId,
        group_id: groupId,
        action,
        created_at: createdAt,
      })
      .execute();
  },
  update: async (workspaceUid, { id, action, groupId }) => {
    await db
      .updateTable('dataset_permissions')
      .set({ action, group_id: groupId })
      .where('workspace_uid', '=', workspaceUid)
      .where('id', '=', id)
      .execute();
  },
  remove: async (workspaceUid, id) => {
    await db
      .deleteFrom('dataset_permissions')
      .where('workspace_uid', '=', workspaceUid)
      .where('id', '=', id)
      .execute();
  },
});
