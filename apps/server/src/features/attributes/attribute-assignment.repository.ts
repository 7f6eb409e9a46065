import type { AttributeAssignment, ListQuery } from '@redoubt/contract';
import { sql } from 'kysely';
import { canSeeAllObjects } from '../../platform/auth/access.ts';
import type { Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';
import { isWithinCredentialScope } from './scoped-attributes.repository.ts';

export interface AttributeAssignmentRepository {
  list(actor: Member, list: ListQuery): Promise<Page<AttributeAssignment>>;
  /** Returns the assignment if the actor may see it: attribute managers see all, other people their own. */
  find(actor: Member, id: string): Promise<AttributeAssignment | undefined>;
  create(assignment: AttributeAssignment, workspaceUid: string, createdAt: Date): Promise<void>;
  update(workspaceUid: string, assignment: AttributeAssignment): Promise<void>;
  remove(workspaceUid: string, id: string): Promise<void>;
}

const columnsOf = (actor: Member) => ({
  id: sql.ref<string>('attribute_assignments.id'),
  attributeId: sql.ref<string>('attribute_assignments.attribute_id'),
  userId: sql.ref<string>('attribute_assignments.account_id'),
  workspaceId: sql<string>`${actor.workspace.slug}::text`,
  attribute: sql.ref<string>('attributes.token'),
});

const visibleTo = (db: Db, actor: Member) => {
  const { id, attributeId, userId } = columnsOf(actor);
  const inWorkspace = db
    .selectFrom('attribute_assignments')
    .innerJoin('attributes', 'attributes.id', 'attribute_assignments.attribute_id')
    .where('attribute_assignments.workspace_uid', '=', actor.workspace.uniqueId)
    .select([id.as('id'), attributeId.as('attributeId'), userId.as('userId')]);
  return canSeeAllObjects(actor, 'getAttributeAssignment')
    ? inWorkspace
    : inWorkspace
        .where('attribute_assignments.account_id', '=', actor.accountId)
        .where(isWithinCredentialScope(actor));
};

export const createAttributeAssignmentRepository = (db: Db): AttributeAssignmentRepository => ({
  list: (actor, list) =>
    readPage(visibleTo(db, actor), list, columnsOf(actor), sql.ref('attribute_assignments.id')),
  find: (actor, id) => visibleTo(db, actor).where('attribute_assignments.id', '=', id).executeTakeFirst(),
  create: async ({ id, attributeId, userId }, workspaceUid, createdAt) => {
    await db
      .insertInto('attribute_assignments')
      .values({
        id,
        workspace_uid: workspaceUid,
        attribute_id: attributeId,
        account_id: userId,
        created_at: createdAt,
      })
      .execute();
  },
  update: async (workspaceUid, { id, attributeId, userId }) => {
    await db
      .updateTable('attribute_assignments')
      .set({ attribute_id: attributeId, account_id: userId })
      .where('workspace_uid', '=', workspaceUid)
      .where('id', '=', id)
      .execute();
  },
  remove: async (workspaceUid, id) => {
    await db
      .deleteFrom('attribute_assignments')
      .where('workspace_uid', '=', workspaceUid)
      .where('id', '=', id)
      .execute();
  },
});
