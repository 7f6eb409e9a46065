import type { WorkspaceRole } from '@redoubt/contract';
import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/** Who belongs to which workspace. */
export const createMembershipRepository = (db: Db) => ({
  /** Keeps other transactions from changing the memberships of the workspace meanwhile. */
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

  /** Undefined where the account does not belong to the workspace. */
  roleOf: async (workspaceUid: string, accountId: string): Promise<WorkspaceRole | undefined> => {
    const row = await db
      .selectFrom('memberships')
      .select('role')
      .where('workspace_uid', '=', workspaceUid)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return row?.role;
  },

  /** Attribute assignments, permissions and group memberships go with it. */
  remove: async (workspaceUid: string, accountId: string): Promise<void> => {
    await db
      .deleteFrom('memberships')
      .where('workspace_uid', '=', workspaceUid)
      .where('account_id', '=', accountId)
      .execute();
  },

  /** Whether an admin is left who is not disabled. */
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

  /** Takes back what somebody who is an admin no longer has offered. */
  removeInvitationsBy: async (workspaceUid: string, accountId: string): Promise<void> => {
    await db
      .deleteFrom('invitations')
      .where('workspace_uid', '=', workspaceUid)
      .where('created_by', '=', accountId)
      .where('accepted_at', 'is', null)
      .execute();
  },
});
