import type { Db } from '../../platform/db/database.ts';
import type { Audit, AuditEvent, AuditActor } from '../../platform/audit/index.ts';
import type { Clock } from '../../platform/runtime.ts';
import type { SubscriptionStates } from '../../platform/subscriptions/index.ts';
import { createBillingAccountRepository } from './billing-account.repository.ts';
import type { PaymentHost, HostCustomer } from './payment-host.ts';
import { requirePaymentHost } from './subscription.service.ts';

export interface BillingEventService {
  /** Deals with an event of the payment host, once. */
  receive(body: Buffer, signature: string | undefined): Promise<void>;
  /** Asks the payment host how a customer stands. */
  look(customerId: string): Promise<void>;
  /** The same of all customers, for events that never came. */
  lookAtAll(): Promise<void>;
}

/** Events are sent again for three days. */
const rememberedMs = 30 * 24 * 3600_000;

/** What is noted of a change: nothing where the subscription is as it was. */
const eventOf = (
  before: { status: string | null; subscriptionId: string | null },
  { subscription }: HostCustomer,
): AuditEvent | undefined => {
  const status = subscription?.status ?? null;
  const subscriptionId = subscription?.id ?? null;
  if (before.status === status && before.subscriptionId === subscriptionId) return undefined;
  return {
    type: 'BillingPlanManagement',
    description: `the payment host says that the subscription is ${status ?? 'none'}`,
    details: { before: before.status, after: status },
  };
};

export const createBillingEventService = ({
  db,
  host,
  standings,
  audit,
  clock,
}: {
  db: Db;
  host: PaymentHost | undefined;
  standings: Pick<SubscriptionStates, 'forget'>;
  audit: Pick<Audit, 'change'>;
  clock: Clock;
}): BillingEventService => {
  const accounts = createBillingAccountRepository(db);

  /**
   * What the host says now is kept whole, so the order of events does not matter. Looks are numbered as they begin: one that was
   * slow keeps nothing over one that began after it, and a change at the host that both missed has an event of its own.
   */
  const look = async (customerId: string): Promise<void> => {
    const begun = await accounts.beginLook(customerId);
    if (begun === undefined) return;
    const seen = await requirePaymentHost(host).look(customerId);
    const author: AuditActor = {
      accountId: undefined,
      email: '',
      workspace: { uniqueId: begun.workspaceUid },
    };
    await audit.change(
      author,
      (isKept: boolean) => (isKept ? eventOf(begun, seen) : undefined),
      (trx) => createBillingAccountRepository(trx).keepSeen(customerId, begun.look, seen),
    );
    standings.forget(begun.workspaceUid);
  };

  return {
    look,
    receive: async (body, signature) => {
      const now = clock.now();
      const event = requirePaymentHost(host).event(body, signature, now);
      if (await accounts.isDealtWith(event.id)) return;
      if (event.customerId !== undefined) await look(event.customerId);
      // Last: what fails is sent again.
      await accounts.noteEvent(event.id, now);
    },
    lookAtAll: async () => {
      await accounts.forgetEventsBefore(new Date(clock.now().getTime() - rememberedMs));
      for (const customerId of await accounts.customers()) await look(customerId);
    },
  };
};
