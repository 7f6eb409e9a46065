import type { ApiKey, ListQuery } from '@redoubt/contract';
import { sql } from 'kysely';
import { canSeeAllObjects } from '../../platform/auth/access.ts';
import type { Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';
import { textListSubquery } from '../../platform/db/text-list-subquery.ts';

/** A key without its groups and attributes, which are in other tables. */
export type ApiKeyRow = Omit<ApiKey, 'attributeNames' | 'groupNames'>;

/** The changes of a key; undefined properties stay as they are. */
export interface ApiKeyChange {
  name?: string | undefined;
  description?: string | undefined;
  revoked?: boolean | undefined;
  expiresAt?: Date | null | undefined;
  groupIds?: readonly string[] | undefined;
  attributeIds?: readonly string[] | undefined;
}

export interface NewApiKey {
  id: string;
  workspaceUid: string;
  accountId: string;
  keyId: string;
  keyHash: string;
  name: string;
  description: string;
  expiresAt: Date | null;
  groupIds: readonly string[];
  attributeIds: readonly string[];
}

/** Run its changes in a transaction: they consist of several statements. */
export interface ApiKeyRepository {
  list(actor: Member, list: ListQuery): Promise<Page<ApiKeyRow>>;
  /** Returns the key if the actor may see it: people see their own keys, key managers all keys of the workspace. */
  find(actor: Member, id: string): Promise<ApiKeyRow | undefined>;
  create(key: NewApiKey, now: Date): Promise<void>;
  change(workspaceUid: string, id: string, change: ApiKeyChange, now: Date): Promise<void>;
  /** Marks the key as deleted. The row stays, and no query returns it. */
  remove(workspaceUid: string, id: string, now: Date): Promise<void>;
}

const columnsOf = (actor: Member) => ({
  id: sql.ref<string>('api_keys.id'),
  name: sql.ref<string>('api_keys.name'),
  keyId: sql.ref<string>('api_keys.key_id'),
  workspaceId: sql<string>`${actor.workspace.slug}::text`,
  description: sql.ref<string>('api_keys.description'),
  revoked: sql.ref<boolean>('api_keys.revoked'),
  createdBy: sql.ref<string>('api_keys.account_id'),
  userId: sql.ref<string>('api_keys.account_id'),
  expirationAt: sql.ref<Date | null>('api_keys.expires_at'),
  createdAt: sql.ref<Date>('api_keys.created_at'),
  updatedAt: sql.ref<Date>('api_keys.updated_at'),
  deletedAt: sql.ref<Date | null>('api_keys.deleted_at'),
});

const visibleTo = (db: Db, actor: Member) => {
  const columns = columnsOf(actor);
  const inWorkspace = db
    .selectFrom('api_keys')
    .where('api_keys.workspace_uid', '=', actor.workspace.uniqueId)
    .where('api_keys.deleted_at', 'is', null)
    .select([
      columns.id.as('id'),
      columns.name.as('name'),
      columns.keyId.as('keyId'),
      columns.workspaceId.as('workspaceId'),
      columns.description.as('description'),
      columns.revoked.as('revoked'),
      columns.createdBy.as('createdBy'),
      columns.userId.as('userId'),
      columns.expirationAt.as('expirationAt'),
      columns.createdAt.as('createdAt'),
      columns.updatedAt.as('updatedAt'),
      columns.deletedAt.as('deletedAt'),
    ]);
  return canSeeAllObjects(actor, 'getApiKey')
    ? inWorkspace
    : inWorkspace.where('api_keys.account_id', '=', actor.accountId);
};

interface KeyTimes {
  expirationAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
}

const present = (row: Omit<ApiKeyRow, keyof KeyTimes> & KeyTimes): ApiKeyRow => ({
  ...row,
  expirationAt: row.expirationAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  deletedAt: row.deletedAt?.toISOString() ?? null,
});

/** Skips groups that were deleted meanwhile. */
const insertGroups = async (db: Db, id: string, groupIds: readonly string[]): Promise<void> => {
  await sql`insert into api_key_groups (api_key_id, group_id)
    select ${id}::text, groups.id from groups
    where groups.id in ${textListSubquery(groupIds)}`.execute(db);
};

const insertAttributes = async (db: Db, id: string, attributeIds: readonly string[]): Promise<void> => {
  await sql`insert into api_key_attributes (api_key_id, attribute_id)
    select ${id}::text, attributes.id from attributes
    where attributes.id in ${textListSubquery(attributeIds)}`.execute(db);
};

export const createApiKeyRepository = (db: Db): ApiKeyRepository => ({
  list: async (actor, list) => {
    const page = await readPage(visibleTo(db, actor), list, columnsOf(actor), sql.ref('api_keys.id'));
    return { ...page, data: page.data.map(present) };
  },
  find: async (actor, id) => {
    const row = await visibleTo(db, actor).where('api_keys.id', '=', id).executeTakeFirst();
    return row && present(row);
  },
  create: async (key, now) => {
    await db
      .insertInto('api_keys')
      .values({
        id: key.id,
        workspace_uid: key.workspaceUid,
        account_id: key.accountId,
        key_id: key.keyId,
        key_hash: key.keyHash,
        name: key.name,
        description: key.description,
        revoked: false,
        expires_at: key.expiresAt,
        created_at: now,
        updated_at: now,
        deleted_at: null,
      })
      .execute();
    await insertGroups(db, key.id, key.groupIds);
    await insertAttributes(db, key.id, key.attributeIds);
  },
  change: async (
    workspaceUid,
    id,
    { name, description, revoked, expiresAt, groupIds, attributeIds },
    now,
  ) => {
    const changed = await db
      .updateTable('api_keys')
      .set((row) => ({
        name: name ?? row.ref('name'),
        description: description ?? row.ref('description'),
        // A concurrent change must not reactivate a revoked key.
        revoked: revoked === true ? true : row.ref('revoked'),
        expires_at: expiresAt === undefined ? row.ref('expires_at') : expiresAt,
        updated_at: now,
      }))
      .where('workspace_uid', '=', workspaceUid)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (changed.numUpdatedRows === 0n) return;
    if (groupIds !== undefined) {
      await db.deleteFrom('api_key_groups').where('api_key_id', '=', id).execute();
      await insertGroups(db, id, groupIds);
    }
    if (attributeIds !== undefined) {
      await db.deleteFrom('api_key_attributes').where('api_key_id', '=', id).execute();
      await insertAttributes(db, id, attributeIds);
    }
  },
  remove: async (workspaceUid, id, now) => {
    await db
      .updateTable('api_keys')
      .set({ deleted_at: now, updated_at: now })
      .where('workspace_uid', '=', workspaceUid)
      .where('id', '=', id)
      .execute();
  },
});
