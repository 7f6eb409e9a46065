import type { Db } from '../db/database.ts';
import type { CallInterceptor } from '../http/call-interceptor.ts';
import type { Meter } from '../metering/index.ts';
import { createSubscriptionStates, type SubscriptionStates } from './subscription-states.ts';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';
import { createSubscriptionInterceptor } from './subscription-interceptor.ts';

export { chargeOf, customerOf } from './payer.repository.ts';
export type { SubscriptionStates } from './subscription-states.ts';
export { subscriptionFields, subscriptionOf, type SubscriptionRow } from './subscription-row.repository.ts';

/** What subscriptions do to everything else. */
export interface Subscriptions extends SubscriptionStates {
  /** Whether there is a payment host. */
  isBilled: boolean;
  around: CallInterceptor;
  /** Counts what a job has the engine do for its workspace. */
  within: Meter['within'];
}

export const createSubscriptions = ({
  db,
  meter,
  isBilled,
  querySeconds,
}: {
  db: Db;
  meter: Meter;
  isBilled: boolean;
  /** How long one query may run, and wait for its turn. */
  querySeconds: number;
}): Subscriptions => {
  const standings = createSubscriptionStates(db, isBilled);
  return {
    ...standings,
    isBilled,
    within: meter.within,
    around: createSubscriptionInterceptor({
      meter,
      standings,
      turns: createConcurrencyLimiter(querySeconds),
    }),
  };
};
