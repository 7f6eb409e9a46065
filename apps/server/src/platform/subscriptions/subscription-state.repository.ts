import type { SubscriptionStatus } from '@redoubt/contract';
import type { Db } from '../db/database.ts';

/** What of a subscription rules what can be done in its workspace. */
export interface SubscriptionState {
  status: SubscriptionStatus;
  /** Queries, and jobs, of the workspace that run at the same time; null is no bound. */
  concurrency: number | null;
}

export interface SubscriptionStateRepository {
  /** Undefined where the workspace has no subscription. */
  find(workspaceUid: string): Promise<SubscriptionState | undefined>;
}

export const createSubscriptionStateRepository = (db: Db): SubscriptionStateRepository => ({
  find: async (workspaceUid) => {
    const row = await db
      .selectFrom('billing_accounts')
      .where('workspace_uid', '=', workspaceUid)
      .select(['status', 'concurrency'])
      .executeTakeFirst();
    return row === undefined || row.status === null
      ? undefined
      : { status: row.status, concurrency: row.concurrency };
  },
});
