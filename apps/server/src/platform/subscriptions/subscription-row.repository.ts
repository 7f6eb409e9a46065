import type { Subscription, SubscriptionStatus } from '@redoubt/contract';

/** The columns that `subscriptionOf` needs, for a statement that joins `billing_accounts`. */
export const subscriptionFields = [
  'billing_accounts.status as subscriptionStatus',
  'billing_accounts.current_period_start as periodStart',
  'billing_accounts.current_period_end as periodEnd',
  'billing_accounts.cancel_at_period_end as cancelAtPeriodEnd',
  'billing_accounts.trial_start as trialStart',
  'billing_accounts.trial_end as trialEnd',
  'billing_accounts.concurrency',
  'billing_accounts.base_item as baseItem',
  'billing_accounts.compute_item as computeItem',
  'billing_accounts.storage_item as storageItem',
  'billing_accounts.network_item as networkItem',
] as const;

export interface SubscriptionRow {
  subscriptionStatus: SubscriptionStatus | null;
  periodStart: Date | null;
  periodEnd: Date | null;
  cancelAtPeriodEnd: boolean | null;
  trialStart: Date | null;
  trialEnd: Date | null;
  concurrency: number | null;
  baseItem: string | null;
  computeItem: string | null;
  storageItem: string | null;
  networkItem: string | null;
}

const timeOf = (time: Date | null): string | null => time?.toISOString() ?? null;

/** The subscription for a response; null if there never was one. */
export const subscriptionOf = (row: SubscriptionRow): Subscription | null =>
  row.subscriptionStatus === null
    ? null
    : {
        currentPeriodStart: timeOf(row.periodStart),
        currentPeriodEnd: timeOf(row.periodEnd),
        cancelAtPeriodEnd: row.cancelAtPeriodEnd ?? false,
        status: row.subscriptionStatus,
        trialStart: timeOf(row.trialStart),
        trialEnd: timeOf(row.trialEnd),
        concurrency: row.concurrency,
        subscriptionItemIds: {
          base: row.baseItem,
          compute: row.computeItem,
          storage: row.storageItem,
          network: row.networkItem,
        },
      };
