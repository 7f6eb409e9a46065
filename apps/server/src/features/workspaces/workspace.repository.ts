import type { ListQuery, Workspace } from '@redoubt/contract';
import { sql } from 'kysely';
import { createAuditConfigRepository } from '../../platform/audit/index.ts';
import { hasPrivileges, type Person } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';
import {
  subscriptionFields,
  subscriptionOf,
  type SubscriptionRow,
} from '../../platform/subscriptions/index.ts';

interface WorkspaceRow extends SubscriptionRow {
  slug: string;
  uniqueId: string;
  name: string;
  createdBy: string;
  createAttributesOnWrite: boolean;
}

const columns = {
  id: sql.ref('workspaces.slug'),
  uniqueId: sql.ref('workspaces.unique_id'),
  name: sql.ref('workspaces.name'),
  userId: sql.ref('workspaces.created_by'),
};

const toWorkspace = ({
  slug,
  uniqueId,
  name,
  createdBy,
  createAttributesOnWrite,
  ...row
}: WorkspaceRow): Workspace => ({
  id: slug,
  uniqueId,
  name,
  userId: createdBy,
  subscription: subscriptionOf(row),
  createAttributesOnWrite,
});

export const createWorkspaceRepository = (db: Db) => {
  /**
   * Selects the workspaces that the person is a member of. A key, an application and a session through the provider of a
   * workspace are limited to their workspace.
   */
  const ofMember = (actor: Person) => {
    const all = db
      .selectFrom('workspaces')
      .innerJoin('memberships', 'memberships.workspace_uid', 'workspaces.unique_id')
      .leftJoin('billing_accounts', 'billing_accounts.workspace_uid', 'workspaces.unique_id')
      .select([
        'workspaces.slug',
        'workspaces.unique_id as uniqueId',
        'workspaces.name',
        'workspaces.created_by as createdBy',
        'workspaces.create_attributes_on_write as createAttributesOnWrite',
        ...subscriptionFields,
      ])
      .where('memberships.account_id', '=', actor.accountId)
      .where('memberships.disabled', '=', false);
    if (hasPrivileges(actor) && actor.isConfined !== true) return all;
    return all.where('workspaces.unique_id', '=', actor.workspace?.uniqueId ?? '');
  };

  return {
    list: async (actor: Person, list: ListQuery): Promise<Page<Workspace>> => {
      const page = await readPage(ofMember(actor), list, columns, sql.ref('workspaces.unique_id'));
      return { ...page, data: page.data.map(toWorkspace) };
    },

    find: async (actor: Person, slug: string): Promise<Workspace | undefined> => {
      const row = await ofMember(actor).where('workspaces.slug', '=', slug).executeTakeFirst();
      return row && toWorkspace(row);
    },

    /** Locks the account, so that no other transaction creates workspaces for it; undefined if it no longer exists. */
    lockCreator: async (
      accountId: string,
    ): Promise<{ verified: boolean; hasOwnPassword: boolean; created: number } | undefined> => {
      const account = await db
        .selectFrom('accounts')
        .select(['verified', 'password_chosen_in'])
        .where('id', '=', accountId)
        .forUpdate()
        .executeTakeFirst();
      if (account === undefined) return undefined;
      const { created } = await db
        .selectFrom('workspaces')
        .select(sql<number>`count(*)::integer`.as('created'))
        .where('created_by', '=', accountId)
        .executeTakeFirstOrThrow();
      return { verified: account.verified, hasOwnPassword: account.password_chosen_in === null, created };
    },

    /** Creates the workspace with its creator as admin. Returns false if the slug is taken or retired. */
    create: async (workspace: {
      uniqueId: string;
      slug: string;
      name: string;
      createdBy: string;
      now: Date;
    }): Promise<boolean> => {
      const { uniqueId, slug, name, createdBy, now } = workspace;
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('workspaces')
        .values({
          unique_id: uniqueId,
          slug,
          name,
          created_by: createdBy,
          create_attributes_on_write: true,
          created_at: now,
          updated_at: now,
        })
        .onConflict((conflict) => conflict.column('slug').doNothing())
        .executeTakeFirstOrThrow();
      // Read after the insert, which waits for a concurrent deletion of the same slug.
      const retired = await db
        .selectFrom('retired_slugs')
        .select('slug')
        .where('slug', '=', slug)
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows === 0n || retired !== undefined) return false;
      await db
        .insertInto('memberships')
        .values({
          workspace_uid: uniqueId,
          account_id: createdBy,
          role: 'admin',
          disabled: false,
          created_at: now,
        })
        .execute();
      await createAuditConfigRepository(db).create(uniqueId, null);
      return true;
    },

    change: async (
      uniqueId: string,
      { name, createAttributesOnWrite }: { name: string; createAttributesOnWrite: boolean },
      now: Date,
    ): Promise<void> => {
      await db
        .updateTable('workspaces')
        .set({ name, create_attributes_on_write: createAttributesOnWrite, updated_at: now })
        .where('unique_id', '=', uniqueId)
        .execute();
    },

    /** Deletes the workspace with everything in it, and schedules the drop of its datasets' record tables. */
    remove: async (uniqueId: string, slug: string): Promise<void> => {
      // With this lock, concurrent creations of datasets either complete first or fail.
      await db
        .selectFrom('workspaces')
        .select('slug')
        .where('unique_id', '=', uniqueId)
        .forUpdate()
        .execute();
      await db
        .insertInto('pending_drops')
        .columns(['dataset_id'])
        .expression((builder) =>
          builder.selectFrom('datasets').select('id').where('workspace_uid', '=', uniqueId),
        )
        .onConflict((conflict) => conflict.column('dataset_id').doUpdateSet({ creating: false }))
        .execute();
      await db
        .insertInto('retired_slugs')
        .values({ slug })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await db.deleteFrom('workspaces').where('unique_id', '=', uniqueId).execute();
    },
  };
};
