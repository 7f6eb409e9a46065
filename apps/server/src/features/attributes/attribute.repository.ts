import type { Attribute, AttributePatch, ListQuery } from '@redoubt/contract';
import { sql } from 'kysely';
import { canSeeAllObjects } from '../../platform/auth/access.ts';
import type { Member, WorkspaceContext } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';
import { isWithinCredentialScope } from './scoped-attributes.repository.ts';

export interface AttributeRepository {
  list(actor: Member, list: ListQuery): Promise<Page<Attribute>>;
  /** Returns the attribute if the actor may see it: attribute managers see all, other people those they hold. */
  find(actor: Member, id: string): Promise<Attribute | undefined>;
  create(attribute: Omit<Attribute, 'workspaceId'>, workspaceUid: string, createdAt: Date): Promise<void>;
  update(
    workspaceUid: string,
    id: string,
    patch: Pick<AttributePatch, 'name' | 'description'>,
  ): Promise<void>;
  remove(workspaceUid: string, id: string): Promise<void>;
}

const columnsOf = (workspace: WorkspaceContext) => ({
  id: sql.ref<string>('attributes.id'),
  name: sql.ref<string>('attributes.name'),
  token: sql.ref<string>('attributes.token'),
  description: sql.ref<string>('attributes.description'),
  workspaceId: sql<string>`${workspace.slug}::text`,
});

/** Selects the attributes that the actor may see. */
export const visibleAttributes = (db: Db, actor: Member) => {
  const { id, name, token, description, workspaceId } = columnsOf(actor.workspace);
  const inWorkspace = db
    .selectFrom('attributes')
    .where('attributes.workspace_uid', '=', actor.workspace.uniqueId)
    .select([
      id.as('id'),
      name.as('name'),
      token.as('token'),
      description.as('description'),
      workspaceId.as('workspaceId'),
    ]);
  if (canSeeAllObjects(actor, 'getAttribute')) return inWorkspace;
  return inWorkspace
    .where(isWithinCredentialScope(actor))
    .where('attributes.id', 'in', (query) =>
      query
        .selectFrom('attribute_assignments')
        .where('account_id', '=', actor.accountId)
        .where('workspace_uid', '=', actor.workspace.uniqueId)
        .select('attribute_id'),
    );
};

export const createAttributeRepository = (db: Db): AttributeRepository => ({
  list: (actor, list) =>
    readPage(visibleAttributes(db, actor), list, columnsOf(actor.workspace), sql.ref('attributes.id')),
  find: (actor, id) => visibleAttributes(db, actor).where('attributes.id', '=', id).executeTakeFirst(),
  create: async (attribute, workspaceUid, createdAt) => {
    await db
      .insertInto('attributes')
      .values({ ...attribute, workspace_uid: workspaceUid, created_at: createdAt })
      .execute();
  },
  update: async (workspaceUid, id, patch) => {
    await db
      .updateTable('attributes')
      .set((row) => ({
        name: patch.name ?? row.ref('name'),
        description: patch.description ?? row.ref('description'),
      }))
      .where('workspace_uid', '=', workspaceUid)
      .where('id', '=', id)
      .execute();
  },
  remove: async (workspaceUid, id) => {
    await db
      .deleteFrom('attributes')
      .where('workspace_uid', '=', workspaceUid)
      .where('id', '=', id)
      .execute();
  },
});
