import type { Db } from '../../platform/db/database.ts';
import type { Audit, AuditEvent, AuditActor } from '../../platform/audit/index.ts';
import type { Clock } from '../../platform/runtime.ts';
import type { SubscriptionStates } from '../../platform/subscriptions/index.ts';
import { createBillingAccountRepository } from './billing-account.repository.ts';
import type { PaymentHost, HostCustomer } from './payment-host.ts';
import { requirePaymentHost } from './subscription.service.ts';

export interface BillingEventService {
  /** Handles an event of the payment host. Repeated deliveries have no effect. */
  receive(body: Buffer, signature: string | undefined): Promise<void>;
  /** Fetches the state of a customer from the payment host. */
  refresh(customerId: string): Promise<void>;
  /** Fetches the state of all customers, in case events were lost. */
  refreshAll(): Promise<void>;
}

/** How long handled events are kept. The payment host repeats an event for three days at most. */
const eventRetentionMs = 30 * 24 * 3600_000;

/** The audit event of a change; undefined if the subscription has not changed. */
const eventOf = (
  before: { status: string | null; subscriptionId: string | null },
  { subscription }: HostCustomer,
): AuditEvent | undefined => {
  const status = subscription?.status ?? null;
  const subscriptionId = subscription?.id ?? null;
  if (before.status === status && before.subscriptionId === subscriptionId) return undefined;
  return {
    type: 'BillingPlanManagement',
    description: `the payment host reported the subscription state ${status ?? 'none'}`,
    details: { before: before.status, after: status },
  };
};

export const createBillingEventService = ({
  db,
  host,
  subscriptionStates,
  audit,
  clock,
}: {
  db: Db;
  host: PaymentHost | undefined;
  subscriptionStates: Pick<SubscriptionStates, 'forget'>;
  audit: Pick<Audit, 'change'>;
  clock: Clock;
}): BillingEventService => {
  const accounts = createBillingAccountRepository(db);

  /**
   * Stores the present state at the host, so the order of events does not matter. Fetches are numbered when they start: a
   * slow one does not overwrite the result of one that started later. A change at the host that both missed triggers
   * another event.
   */
  const refresh = async (customerId: string): Promise<void> => {
    const begun = await accounts.beginFetch(customerId);
    if (begun === undefined) return;
    const fetched = await requirePaymentHost(host).fetchCustomer(customerId);
    const author: AuditActor = {
      accountId: undefined,
      email: '',
      workspace: { uniqueId: begun.workspaceUid },
    };
    await audit.change(
      author,
      (isStored: boolean) => (isStored ? eventOf(begun, fetched) : undefined),
      (trx) => createBillingAccountRepository(trx).storeFetched(customerId, begun.fetchNumber, fetched),
    );
    subscriptionStates.forget(begun.workspaceUid);
  };

  return {
    refresh,
    receive: async (body, signature) => {
      const now = clock.now();
      const event = requirePaymentHost(host).event(body, signature, now);
      if (await accounts.isEventHandled(event.id)) return;
      if (event.customerId !== undefined) await refresh(event.customerId);
      // Marked last: after a failure the payment host sends the event again.
      await accounts.markEventHandled(event.id, now);
    },
    refreshAll: async () => {
      await accounts.removeEventsBefore(new Date(clock.now().getTime() - eventRetentionMs));
      for (const customerId of await accounts.customers()) await refresh(customerId);
    },
  };
};
