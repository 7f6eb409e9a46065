import type { WorkspaceRole } from '@redoubt/contract';
import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/** The memberships of people in workspaces. */
export const createMembershipRepository = (db: Db) => ({
  /** Locks the memberships of the workspace until the transaction ends. */
  lock: async (workspaceUid: string): Promise<void> => {
    await db
      .selectFrom('workspaces')
      .select('unique_id')
      .where('unique_id', '=', workspaceUid)
      .forUpdate()
      .execute();
  },

  create: async (workspaceUid: string, accountId: string, role: WorkspaceRole, now: Date): Promise<void> => {
    await db
      .insertInto('memberships')
      .values({ workspace_uid: workspaceUid, account_id: accountId, role, disabled: false, created_at: now })
      .execute();
  },

  update: async (
    workspaceUid: string,
    accountId: string,
    change: { role?: WorkspaceRole; disabled?: boolean },
  ): Promise<void> => {
    await db
      .updateTable('memberships')
      .set(change)
      .where('workspace_uid', '=', workspaceUid)
      .where('account_id', '=', accountId)
      .execute();
  },

  /** Returns undefined if the account is not a member of the workspace. */
  roleOf: async (workspaceUid: string, accountId: string): Promise<WorkspaceRole | undefined> => {
    const row = await db
      .selectFrom('memberships')
      .select('role')
      .where('workspace_uid', '=', workspaceUid)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return row?.role;
  },

  /** Deletes the membership with its attribute assignments, permissions and group memberships. */
  remove: async (workspaceUid: string, accountId: string): Promise<void> => {
    await db
      .deleteFrom('memberships')
      .where('workspace_uid', '=', workspaceUid)
      .where('account_id', '=', accountId)
      .execute();
  },

  /** Whether the workspace has an enabled admin. */
  hasAdmin: async (workspaceUid: string): Promise<boolean> => {
    const row = await db
      .selectFrom('memberships')
      .select(sql<number>`1`.as('found'))
      .where('workspace_uid', '=', workspaceUid)
      .where('role', '=', 'admin')
      .where('disabled', '=', false)
      .executeTakeFirst();
    return row !== undefined;
  },

  /** Withdraws the open invitations of a person who is no longer an admin. */
  removeInvitationsBy: async (workspaceUid: string, accountId: string): Promise<void> => {
    await db
      .deleteFrom('invitations')
      .where('workspace_uid', '=', workspaceUid)
      .where('created_by', '=', accountId)
      .where('accepted_at', 'is', null)
      .execute();
  },
});
