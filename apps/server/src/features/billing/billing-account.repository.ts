import type { Db } from '../../platform/db/database.ts';
import type { HostCustomer } from './payment-host.ts';

/** What the payment host says of a workspace, as it was last asked. */
export const createBillingAccountRepository = (db: Db) => ({
  find: (workspaceUid: string) =>
    db
      .selectFrom('billing_accounts')
      .where('workspace_uid', '=', workspaceUid)
      .select(['customer_id as customerId', 'status'])
      .executeTakeFirst(),

  /** Keeps the customer of a workspace, and who pays; a customer that is there stays. */
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

  /** Numbers a look at the payment host that is about to begin; undefined for a customer of somebody else. */
  beginLook: (customerId: string) =>
    db
      .updateTable('billing_accounts')
      .set((row) => ({ looks: row('looks', '+', 1) }))
      .where('customer_id', '=', customerId)
      .returning([
        'looks as look',
        'workspace_uid as workspaceUid',
        'status',
        'subscription_id as subscriptionId',
      ])
      .executeTakeFirst(),

  /**
   * Keeps what a look has seen, unless one that began later was faster.
   * @returns whether it was kept
   */
  keepSeen: async (
    customerId: string,
    look: number,
    { subscription, charge }: HostCustomer,
  ): Promise<boolean> => {
    const { numUpdatedRows } = await db
      .updateTable('billing_accounts')
      .set({
        seen_by: look,
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
      .where('seen_by', '<', look)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },

  isDealtWith: async (eventId: string): Promise<boolean> => {
    const row = await db
      .selectFrom('billing_events')
      .where('id', '=', eventId)
      .select('id')
      .executeTakeFirst();
    return row !== undefined;
  },

  noteEvent: async (eventId: string, now: Date): Promise<void> => {
    await db
      .insertInto('billing_events')
      .values({ id: eventId, received_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  },

  forgetEventsBefore: async (moment: Date): Promise<void> => {
    await db.deleteFrom('billing_events').where('received_at', '<', moment).execute();
  },
});

export type BillingAccountRepository = ReturnType<typeof createBillingAccountRepository>;
