import type { Db } from '../db/database.ts';
import type { CallInterceptor } from '../http/call-interceptor.ts';
import type { Meter } from '../metering/index.ts';
import { createSubscriptionStates, type SubscriptionStates } from './subscription-states.ts';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';
import { createSubscriptionInterceptor } from './subscription-interceptor.ts';

export { chargeOf, customerOf } from './payer.repository.ts';
export type { SubscriptionStates } from './subscription-states.ts';
export { subscriptionFields, subscriptionOf, type SubscriptionRow } from './subscription-row.repository.ts';

/** How subscriptions limit and meter everything else. */
export interface Subscriptions extends SubscriptionStates {
  /** Whether a payment provider is set up. */
  isBilled: boolean;
  intercept: CallInterceptor;
  /** Charges the engine queries of a job to its workspace. */
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
  /** Maximum time that one query may run, and that it may wait for others to end. */
  querySeconds: number;
}): Subscriptions => {
  const states = createSubscriptionStates(db, isBilled);
  return {
    ...states,
    isBilled,
    within: meter.within,
    intercept: createSubscriptionInterceptor({
      meter,
      states,
      limiter: createConcurrencyLimiter(querySeconds),
    }),
  };
};
