import type { Audit } from '../../platform/audit/index.ts';
import type { StripeSettings } from '../../platform/config/index.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { Logger } from '../../platform/log/logger.ts';
import type { Metering } from '../../platform/metering/index.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { SubscriptionStates } from '../../platform/subscriptions/index.ts';
import { createBilledUsageRepository } from './billed-usage.repository.ts';
import { createBillingAccountRepository } from './billing-account.repository.ts';
import { createBillingEventService } from './billing-event.service.ts';
import { createBillingRoutes } from './billing.routes.ts';
import { createStripeHost } from './stripe-host.ts';
import { createSubscriptionService } from './subscription.service.ts';
import { createUsageReport, type UsageReport } from './usage-report.ts';
import { createUsageService } from './usage.service.ts';

export type { UsageReport } from './usage-report.ts';

/** Wires the usage of workspaces and, with a payment host, their subscriptions. */
export const wireBilling = ({
  db,
  runtime: { clock },
  logger,
  audit,
  subscriptions,
  metering,
  stripe,
  publicUrl,
}: {
  db: Db;
  runtime: Runtime;
  logger: Logger;
  audit: Audit;
  subscriptions: SubscriptionStates;
  metering: Metering;
  /** If absent, nothing is billed or limited. */
  stripe?: StripeSettings | undefined;
  publicUrl: () => string;
}): { bindings: RouteBinding[]; usageReport: UsageReport } => {
  const host = stripe && createStripeHost(stripe);
  const used = createBilledUsageRepository(db);
  const accounts = createBillingAccountRepository(db);
  const events = createBillingEventService({ db, host, subscriptionStates: subscriptions, audit, clock });
  return {
    bindings: createBillingRoutes(
      createUsageService({ used, metering, clock }),
      createSubscriptionService({ host, accounts, audit, publicUrl, clock }),
      events,
    ),
    usageReport: createUsageReport({ host, used, events, clock, logger }),
  };
};
