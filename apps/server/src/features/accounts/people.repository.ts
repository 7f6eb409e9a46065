import type { Db } from '../../platform/db/database.ts';

export interface PeopleRepository {
  /** Whether the account is in the workspace, disabled or not. */
  isMember(workspaceUid: string, accountId: string): Promise<boolean>;
}

export const createPeopleRepository = (db: Db): PeopleRepository => ({
  isMember: async (workspaceUid, accountId) => {
    const row = await db
      .selectFrom('memberships')
      .select('role')
      .where('workspace_uid', '=', workspaceUid)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return row !== undefined;
  },
});
