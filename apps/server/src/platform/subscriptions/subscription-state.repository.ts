import type { SubscriptionStatus } from '@redoubt/contract';
import type { Db } from '../db/database.ts';

/** The part of a subscription that limits its workspace. */
export interface SubscriptionState {
  status: SubscriptionStatus;
  /** Maximum number of queries, and of jobs, of the workspace that run at once; null means no limit. */
  concurrency: number | null;
}

export interface SubscriptionStateRepository {
  /** Undefined if the workspace has no subscription. */
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
