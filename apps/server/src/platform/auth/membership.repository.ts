import type { Db } from '../db/database.ts';

/** Whether the account belongs to the workspace. */
export type IsMember = (workspaceUid: string, accountId: string) => Promise<boolean>;

export const createIsMember =
  (db: Db): IsMember =>
  async (workspaceUid, accountId) => {
    const membership = await db
      .selectFrom('memberships')
      .where('workspace_uid', '=', workspaceUid)
      .where('account_id', '=', accountId)
      .select('account_id')
      .executeTakeFirst();
    return membership !== undefined;
  };
