import { forbidden, notFound, notImplemented } from '@redoubt/errors';
import { requireCall } from '../../platform/auth/access.ts';
import type { Member } from '../../platform/auth/actor.ts';
import type { Audit } from '../../platform/audit/index.ts';
import type { Clock } from '../../platform/runtime.ts';
import type { BillingAccountRepository } from './billing-account.repository.ts';
import type { PaymentHost } from './payment-host.ts';

export interface SubscriptionService {
  /** Returns a link to start the subscription of the workspace. */
  checkout(actor: Member): Promise<{ url: string }>;
  /** Returns a link to manage it. */
  portal(actor: Member): Promise<{ url: string }>;
}

/** @throws RedoubtError 501 if the server has no payment host */
export const requirePaymentHost = (host: PaymentHost | undefined): PaymentHost => {
  if (host !== undefined) return host;
  throw notImplemented(
    'This server has no payment host, and nothing is billed or limited. To change that, its operator sets STRIPE_SECRET_KEY.',
  );
};

const ended = new Set<string | null>([null, 'canceled', 'incomplete_expired']);

export const createSubscriptionService = ({
  host,
  accounts,
  audit,
  publicUrl,
  clock,
}: {
  host: PaymentHost | undefined;
  accounts: Pick<BillingAccountRepository, 'find' | 'keep'>;
  audit: Pick<Audit, 'log'>;
  publicUrl: () => string;
  clock: Clock;
}): SubscriptionService => {
  const returnUrl = (): string => `${publicUrl()}/app/billing`;

  return {
    checkout: async (actor) => {
      requireCall(actor, 'startCheckout', 'start a subscription');
      const paid = requirePaymentHost(host);
      const { uniqueId, slug } = actor.workspace;
      const known = await accounts.find(uniqueId);
      if (known !== undefined && !ended.has(known.status)) {
        throw forbidden(
          `Workspace "${slug}" has a subscription in the state ${known.status}. Manage it with POST /billing/portal.`,
        );
      }
      const customerId = known?.customerId ?? (await paid.createCustomer({ uniqueId, slug }));
      await accounts.keep({ workspaceUid: uniqueId, customerId, payerId: actor.accountId, now: clock.now() });
      const url = await paid.checkout(customerId, uniqueId, returnUrl());
      await audit.log(actor, {
        type: 'BillingPlanManagement',
        description: 'opened the checkout page of the subscription',
      });
      return { url };
    },

    portal: async (actor) => {
      requireCall(actor, 'openBillingPortal', 'manage the subscription');
      const paid = requirePaymentHost(host);
      const { uniqueId, slug } = actor.workspace;
      const known = await accounts.find(uniqueId);
      if (known === undefined) throw notFound('subscription of the workspace', slug);
      const url = await paid.portal(known.customerId, returnUrl());
      await audit.log(actor, {
        type: 'BillingPlanManagement',
        description: 'opened the billing portal',
      });
      return { url };
    },
  };
};
