import type { SubscriptionStatus } from '@redoubt/contract';
import type { ColumnType } from 'kysely';

/** Set once, never updated. */
type Fixed<T> = ColumnType<T, T, never>;

/** `base` is 1 for each day; `compute` is in milliseconds, `storage` and `network` are in bytes. */
export type UsageMeter = 'base' | 'compute' | 'storage' | 'network';

/** The usage of a workspace on a day (UTC). */
export interface UsageDayTable {
  workspace_uid: Fixed<string>;
  /** `2026-01-31`. */
  day: Fixed<string>;
  meter: Fixed<UsageMeter>;
  amount: number;
  /** When it was reported to the payment provider. */
  reported_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

/** A workspace at the payment provider: its customer, and the current subscription. */
export interface BillingAccountTable {
  workspace_uid: Fixed<string>;
  customer_id: Fixed<string>;
  /** The person who started the last payment; null if their account was deleted. */
  payer_id: string | null;
  /** Number of reads from the payment provider that have started. */
  looks: ColumnType<number, number | undefined, number>;
  /** The number of the read whose result this row holds: a read that started earlier must not overwrite it. */
  seen_by: ColumnType<number, number | undefined, number>;
  subscription_id: string | null;
  status: SubscriptionStatus | null;
  current_period_start: Date | null;
  current_period_end: Date | null;
  cancel_at_period_end: boolean | null;
  trial_start: Date | null;
  trial_end: Date | null;
  concurrency: number | null;
  base_item: string | null;
  compute_item: string | null;
  storage_item: string | null;
  network_item: string | null;
  charge_id: string | null;
  charge_failure_code: string | null;
  charge_failure_message: string | null;
  charge_invoice: string | null;
  charge_status: 'failed' | 'pending' | 'succeeded' | null;
  created_at: Fixed<Date>;
}

/** The events of the payment provider that were processed. */
export interface BillingEventTable {
  id: Fixed<string>;
  received_at: Fixed<Date>;
}

export interface BillingTables {
  usage_days: UsageDayTable;
  billing_accounts: BillingAccountTable;
  billing_events: BillingEventTable;
}
