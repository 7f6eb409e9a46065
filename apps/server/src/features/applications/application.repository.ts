import type { Application, ListQuery, RequiredDatasetAccess } from '@redoubt/contract';
import { sql } from 'kysely';
import { canSeeAllObjects } from '../../platform/auth/access.ts';
import type { Member, WorkspaceContext } from '../../platform/auth/actor.ts';
import { inTransaction, type Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';
import { textListSubquery } from '../../platform/db/text-list-subquery.ts';
import { isApplicationUsableBy, isRequiredDatasetVisible } from './application-usable.repository.ts';

/** An application without its users and datasets, which are in other tables. */
export type ApplicationSummary = Omit<Application, 'allowedUsers' | 'requiredDatasetAccess' | 'clientSecret'>;

/** The changes of an application; undefined properties stay as they are. */
export interface ApplicationChange {
  name?: string | undefined;
  url?: string | undefined;
  redirectUrl?: string | undefined;
  visible?: boolean | undefined;
  description?: string | undefined;
  type?: 'mls' | 'sls' | undefined;
  secretHash?: string | undefined;
  allowedUsers?: readonly string[] | undefined;
  requiredDatasetAccess?: readonly RequiredDatasetAccess[] | undefined;
}

export interface RequiredAccess extends RequiredDatasetAccess {
  /** Whether the dataset is visible to the actor. */
  isVisible: boolean;
}

export interface ApplicationRepository {
  list(actor: Member, list: ListQuery): Promise<Page<ApplicationSummary>>;
  /** Returns the application if the actor may see it. */
  find(actor: Member, id: string): Promise<ApplicationSummary | undefined>;
  /** Returns the ids of the allowed users, by application id. */
  usersOf(ids: readonly string[]): Promise<Map<string, string[]>>;
  /** Returns the datasets that the applications require, by application id. */
  requirementsOf(actor: Member, ids: readonly string[]): Promise<Map<string, RequiredAccess[]>>;
  create(
    application: Omit<ApplicationSummary, 'workspaceId'> &
      Pick<Application, 'allowedUsers' | 'requiredDatasetAccess'>,
    more: { workspaceUid: string; secretHash: string; createdBy: string; createdAt: Date },
  ): Promise<void>;
  /** @param revokedAt if defined, revokes all grants to the application at this time */
  change(
    workspaceUid: string,
    id: string,
    change: ApplicationChange,
    revokedAt: Date | undefined,
  ): Promise<void>;
  remove(workspaceUid: string, id: string): Promise<void>;
}

const columnsOf = (workspace: WorkspaceContext) => ({
  id: sql.ref<string>('applications.id'),
  name: sql.ref<string>('applications.name'),
  url: sql.ref<string>('applications.url'),
  redirectUrl: sql.ref<string>('applications.redirect_url'),
  workspaceId: sql<string>`${workspace.slug}::text`,
  clientId: sql.ref<string>('applications.client_id'),
  visible: sql.ref<boolean>('applications.visible'),
  description: sql.ref<string>('applications.description'),
  type: sql.ref<'mls' | 'sls'>('applications.type'),
});

/** Selects the applications that the actor may see: all for application managers, the visible and usable ones for others. */
const visibleTo = (db: Db, actor: Member) => {
  const columns = columnsOf(actor.workspace);
  const inWorkspace = db
    .selectFrom('applications')
    .where('applications.workspace_uid', '=', actor.workspace.uniqueId)
    .select([
      columns.id.as('id'),
      columns.name.as('name'),
      columns.url.as('url'),
      columns.redirectUrl.as('redirectUrl'),
      columns.workspaceId.as('workspaceId'),
      columns.clientId.as('clientId'),
      columns.visible.as('visible'),
      columns.description.as('description'),
      columns.type.as('type'),
    ]);
  if (canSeeAllObjects(actor, 'getApplication')) return inWorkspace;
  return inWorkspace.where('applications.visible', '=', true).where(isApplicationUsableBy(db, actor));
};

const insertUsers = async (
  db: Db,
  applicationId: string,
  workspaceUid: string,
  userIds: readonly string[],
): Promise<void> => {
  const rows = [...new Set(userIds)].map((accountId) => ({
    application_id: applicationId,
    workspace_uid: workspaceUid,
    account_id: accountId,
  }));
  if (rows.length > 0) await db.insertInto('application_users').values(rows).execute();
};

const insertRequirements = async (
  db: Db,
  applicationId: string,
  required: readonly RequiredDatasetAccess[],
): Promise<void> => {
  const rows = required.map(({ action, datasetId }) => ({
    application_id: applicationId,
    dataset_id: datasetId,
    action,
  }));
  if (rows.length === 0) return;
  await db
    .insertInto('application_datasets')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** Revokes all grants that people gave to an application. */
const revokeGrants = async (db: Db, applicationId: string, now: Date): Promise<void> => {
  await db
    .updateTable('application_grants')
    .set({ revoked_at: now })
    .where('application_id', '=', applicationId)
    .where('revoked_at', 'is', null)
    .execute();
};

export const createApplicationRepository = (db: Db): ApplicationRepository => ({
  list: (actor, list) =>
    readPage(visibleTo(db, actor), list, columnsOf(actor.workspace), sql.ref('applications.id')),
  find: (actor, id) => visibleTo(db, actor).where('applications.id', '=', id).executeTakeFirst(),
  usersOf: async (ids) => {
    const rows = await db
      .selectFrom('application_users')
      .where('application_id', 'in', textListSubquery(ids))
      .select(['application_id', 'account_id'])
      .orderBy('account_id')
      .execute();
    const byId = Map.groupBy(rows, ({ application_id: id }) => id);
    return new Map([...byId].map(([id, users]) => [id, users.map(({ account_id: user }) => user)]));
  },
  requirementsOf: async (actor, ids) => {
    const rows = await db
      .selectFrom('application_datasets')
      .where('application_id', 'in', textListSubquery(ids))
      .select(['application_id as applicationId', 'action', 'dataset_id as datasetId'])
      .select(isRequiredDatasetVisible(db, actor).as('isVisible'))
      .orderBy('dataset_id')
      .orderBy('action')
      .execute();
    return Map.groupBy(rows, ({ applicationId }) => applicationId);
  },
  create: (application, { workspaceUid, secretHash, createdBy, createdAt }) =>
    inTransaction(db, async (trx) => {
      const { id, name, url, redirectUrl, clientId, visible, description, type } = application;
      await trx
        .insertInto('applications')
        .values({
          id,
          workspace_uid: workspaceUid,
          name,
          url,
          redirect_url: redirectUrl,
          client_id: clientId,
          secret_hash: secretHash,
          visible,
          description,
          type,
          created_by: createdBy,
          created_at: createdAt,
        })
        .execute();
      await insertUsers(trx, id, workspaceUid, application.allowedUsers);
      await insertRequirements(trx, id, application.requiredDatasetAccess);
    }),
  change: (workspaceUid, id, change, revokedAt) =>
    inTransaction(db, async (trx) => {
      const { name, url, redirectUrl, visible, description, type, secretHash } = change;
      const changed = await trx
        .updateTable('applications')
        .set((row) => ({
          name: name ?? row.ref('name'),
          url: url ?? row.ref('url'),
          redirect_url: redirectUrl ?? row.ref('redirect_url'),
          visible: visible ?? row.ref('visible'),
          description: description ?? row.ref('description'),
          type: type ?? row.ref('type'),
          secret_hash: secretHash ?? row.ref('secret_hash'),
        }))
        .where('workspace_uid', '=', workspaceUid)
        .where('id', '=', id)
        .executeTakeFirst();
      if (changed.numUpdatedRows === 0n) return;
      if (change.allowedUsers !== undefined) {
        await trx.deleteFrom('application_users').where('application_id', '=', id).execute();
        await insertUsers(trx, id, workspaceUid, change.allowedUsers);
      }
      if (change.requiredDatasetAccess !== undefined) {
        await trx.deleteFrom('application_datasets').where('application_id', '=', id).execute();
        await insertRequirements(trx, id, change.requiredDatasetAccess);
      }
      if (revokedAt !== undefined) await revokeGrants(trx, id, revokedAt);
    }),
  remove: async (workspaceUid, id) => {
    await db
      .deleteFrom('applications')
      .where('workspace_uid', '=', workspaceUid)
      .where('id', '=', id)
      .execute();
  },
});
