import type { SubscriptionStatus } from '@redoubt/contract';
import type { Stripe } from 'stripe';
import type { StripeSettings } from '../../platform/config/index.ts';
import type { HostSubscription } from './payment-host.ts';

const known: ReadonlySet<string> = new Set<SubscriptionStatus>([
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'canceled',
  'unpaid',
]);
const isKnown = (status: string): status is SubscriptionStatus => known.has(status);

/** Maps paused subscriptions, and any state that this server does not know, to unpaid. */
const statusOf = (status: string): SubscriptionStatus => (isKnown(status) ? status : 'unpaid');

const hasEnded = ({ status }: Stripe.Subscription): boolean =>
  status === 'canceled' || status === 'incomplete_expired';

const dateOf = (seconds: number | null | undefined): Date | null =>
  typeof seconds === 'number' ? new Date(seconds * 1000) : null;

/** The concurrency limit in the metadata of the subscription or, if absent there, of its base price. */
const concurrencyOf = (...metadata: (Record<string, string> | undefined)[]): number | null => {
  const text = metadata.map((one) => one?.['concurrency']).find((one) => one !== undefined);
  return text !== undefined && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null;
};

const toHostSubscription = (
  subscription: Stripe.Subscription,
  prices: StripeSettings['prices'],
): HostSubscription => {
  const items = subscription.items.data;
  const itemOf = (price: string | undefined) =>
    price === undefined ? undefined : items.find((item) => item.price.id === price);
  const base = itemOf(prices.base);
  const period = base ?? items[0];
  return {
    id: subscription.id,
    status: statusOf(subscription.status),
    currentPeriodStart: dateOf(period?.current_period_start),
    currentPeriodEnd: dateOf(period?.current_period_end),
    cancelAtPeriodEnd: subscription.cancel_at_period_end || subscription.cancel_at !== null,
    trialStart: dateOf(subscription.trial_start),
    trialEnd: dateOf(subscription.trial_end),
    concurrency: concurrencyOf(subscription.metadata, base?.price.metadata),
    subscriptionItemIds: {
      base: base?.id ?? null,
      compute: itemOf(prices.compute)?.id ?? null,
      storage: itemOf(prices.storage)?.id ?? null,
      network: itemOf(prices.network)?.id ?? null,
    },
  };
};

/** Selects the newest subscription that has not ended or, if all have ended, the newest one. */
export const selectCurrentSubscription = (
  subscriptions: readonly Stripe.Subscription[],
  prices: StripeSettings['prices'],
): HostSubscription | undefined => {
  const newest = subscriptions.toSorted((a, b) => b.created - a.created);
  const found = newest.find((one) => !hasEnded(one)) ?? newest[0];
  return found && toHostSubscription(found, prices);
};
