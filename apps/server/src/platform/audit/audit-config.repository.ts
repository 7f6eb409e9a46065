import type { AuditLogConfiguration, ListQuery } from '@redoubt/contract';
import { sql } from 'kysely';
import type { WorkspaceContext } from '../auth/actor.ts';
import type { Db } from '../db/database.ts';
import { readPage, type Page } from '../db/list.ts';

/** How long the events of a dataset are kept; without a dataset, all other events of the workspace. */
export interface Retention {
  workspaceUid: string;
  datasetId: string | null;
  keepForever: boolean;
  ageInDays: number;
}

export interface AuditConfigRepository {
  /** Creates the default configuration of a new workspace, or of a new dataset. */
  create(workspaceUid: string, datasetId: string | null): Promise<void>;
  list(workspace: WorkspaceContext, list: ListQuery): Promise<Page<AuditLogConfiguration>>;
  find(workspace: WorkspaceContext, id: string): Promise<AuditLogConfiguration | undefined>;
  update(
    workspaceUid: string,
    id: string,
    patch: { keepForever?: boolean | undefined; ageInDays?: number | undefined },
  ): Promise<void>;
  /** All configurations of the workspaces that do not keep every event forever. */
  limited(): Promise<Retention[]>;
}

const columnsOf = ({ slug }: Pick<WorkspaceContext, 'slug'>) => ({
  id: sql.ref<string>('audit_configs.id'),
  keepForever: sql.ref<boolean>('audit_configs.keep_forever'),
  ageInDays: sql.ref<number>('audit_configs.age_in_days'),
  workspaceId: sql<string>`${slug}::text`,
  datasetId: sql.ref<string | null>('audit_configs.dataset_id'),
});

const inWorkspace = (db: Db, workspace: WorkspaceContext) => {
  const { id, keepForever, ageInDays, workspaceId, datasetId } = columnsOf(workspace);
  return db
    .selectFrom('audit_configs')
    .where('audit_configs.workspace_uid', '=', workspace.uniqueId)
    .select([
      id.as('id'),
      keepForever.as('keepForever'),
      ageInDays.as('ageInDays'),
      workspaceId.as('workspaceId'),
      datasetId.as('datasetId'),
    ]);
};

export const createAuditConfigRepository = (db: Db): AuditConfigRepository => ({
  create: async (workspaceUid, datasetId) => {
    await sql`insert into audit_configs (id, workspace_uid, dataset_id)
      values (${datasetId ?? workspaceUid}, ${workspaceUid}, ${datasetId})`.execute(db);
  },
  list: (workspace, list) =>
    readPage(inWorkspace(db, workspace), list, columnsOf(workspace), sql.ref('audit_configs.id')),
  find: (workspace, id) => inWorkspace(db, workspace).where('audit_configs.id', '=', id).executeTakeFirst(),
  update: async (workspaceUid, id, { keepForever, ageInDays }) => {
    await db
      .updateTable('audit_configs')
      .set((row) => ({
        keep_forever: keepForever ?? row.ref('keep_forever'),
        age_in_days: ageInDays ?? row.ref('age_in_days'),
      }))
      .where('workspace_uid', '=', workspaceUid)
      .where('id', '=', id)
      .execute();
  },
  limited: () =>
    db
      .selectFrom('audit_configs')
      .where('workspace_uid', 'in', (nested) =>
        nested.selectFrom('audit_configs').where('keep_forever', '=', false).select('workspace_uid'),
      )
      .select([
        'workspace_uid as workspaceUid',
        'dataset_id as datasetId',
        'keep_forever as keepForever',
        'age_in_days as ageInDays',
      ])
      .execute(),
});
