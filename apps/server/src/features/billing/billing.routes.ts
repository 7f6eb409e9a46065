import { routes } from '@redoubt/contract';
import { bindMember, bindPublic, type RouteBinding } from '../../platform/http/binding.ts';
import type { BillingEventService } from './billing-event.service.ts';
import type { SubscriptionService } from './subscription.service.ts';
import type { UsageService } from './usage.service.ts';

const signatureOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined;

export const createBillingRoutes = (
  usage: UsageService,
  subscriptions: SubscriptionService,
  events: Pick<BillingEventService, 'receive'>,
): RouteBinding[] => [
  bindMember(routes.getUsage, ({ actor, query }) => usage.usage(actor, query)),
  bindMember(routes.startCheckout, ({ actor }) => subscriptions.checkout(actor)),
  bindMember(routes.openBillingPortal, ({ actor }) => subscriptions.portal(actor)),
  bindPublic(routes.receiveBillingEvent, async ({ bytes, request }) => {
    await events.receive(bytes, signatureOf(request.headers['stripe-signature']));
    return { received: true as const };
  }),
];
