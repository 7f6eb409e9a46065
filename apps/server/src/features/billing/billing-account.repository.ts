import type { Db } from '../../platform/db/database.ts';
import type { HostCustomer } from './payment-host.ts';

/** The state of a workspace's subscription, as last fetched from the payment host. */
export const createBillingAccountRepository = (db: Db) => ({
  find: (workspaceUid: string) =>
    db
      .selectFrom('billing_accounts')
      .where('workspace_uid', '=', workspaceUid)
      .select(['customer_id as customerId', 'status'])
      .executeTakeFirst(),

  /** Stores the customer and the payer of a workspace. An existing customer stays. */
  keep: async (account: {
    workspaceUid: string;
    customerId: string;
    payerId: string;
    now: Date;
  }): Promise<void> => {
    const { workspaceUid, customerId, payerId, now } = account;
    await db
      .insertInto('billing_accounts')
      .values({ workspace_uid: workspaceUid, customer_id: customerId, payer_id: payerId, created_at: now })
      .onConflict((conflict) => conflict.column('workspace_uid').doUpdateSet({ payer_id: payerId }))
      .execute();
  },

  customers: async (): Promise<string[]> => {
    const rows = await db
      .selectFrom('billing_accounts')
      .select('customer_id')
      .orderBy('customer_id')
      .execute();
    return rows.map(({ customer_id: customerId }) => customerId);
  },

  /** Assigns a number to a fetch that is about to start; undefined if the customer belongs to no workspace here. */
  beginFetch: (customerId: string) =>
    db
      .updateTable('billing_accounts')
      .set((row) => ({ looks: row('looks', '+', 1) }))
      .where('customer_id', '=', customerId)
      .returning([
        'looks as fetchNumber',
        'workspace_uid as workspaceUid',
        'status',
        'subscription_id as subscriptionId',
      ])
      .executeTakeFirst(),

  /**
   * Stores the result of a fetch, unless one that started later has already stored its own.
   * @returns whether it was stored
   */
  storeFetched: async (
    customerId: string,
    fetchNumber: number,
    { subscription, charge }: HostCustomer,
  ): Promise<boolean> => {
    const { numUpdatedRows } = await db
      .updateTable('billing_accounts')
      .set({
        seen_by: fetchNumber,
        subscription_id: subscription?.id ?? null,
        status: subscription?.status ?? null,
        current_period_start: subscription?.currentPeriodStart ?? null,
        current_period_end: subscription?.currentPeriodEnd ?? null,
        cancel_at_period_end: subscription?.cancelAtPeriodEnd ?? null,
        trial_start: subscription?.trialStart ?? null,
        trial_end: subscription?.trialEnd ?? null,
        concurrency: subscription?.concurrency ?? null,
        base_item: subscription?.subscriptionItemIds.base ?? null,
        compute_item: subscription?.subscriptionItemIds.compute ?? null,
        storage_item: subscription?.subscriptionItemIds.storage ?? null,
        network_item: subscription?.subscriptionItemIds.network ?? null,
        charge_id: charge?.id ?? null,
        charge_failure_code: charge?.failureCode ?? null,
        charge_failure_message: charge?.failureMessage ?? null,
        charge_invoice: charge?.invoice ?? null,
        charge_status: charge?.status ?? null,
      })
      .where('customer_id', '=', customerId)
      .where('seen_by', '<', fetchNumber)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },

  isEventHandled: async (eventId: string): Promise<boolean> => {
    const row = await db
      .selectFrom('billing_events')
      .where('id', '=', eventId)
      .select('id')
      .executeTakeFirst();
    return row !== undefined;
  },

  markEventHandled: async (eventId: string, now: Date): Promise<void> => {
    await db
      .insertInto('billing_events')
      .values({ id: eventId, received_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  },

  removeEventsBefore: async (time: Date): Promise<void> => {
    await db.deleteFrom('billing_events').where('received_at', '<', time).execute();
  },
});

export type BillingAccountRepository = ReturnType<typeof createBillingAccountRepository>;
