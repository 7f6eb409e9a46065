import type { Db } from '../db/database.ts';
import type { Around } from '../http/around.ts';
import type { Meter } from '../metering/index.ts';
import { createStandings, type Standings } from './standings.ts';
import { createTurns } from './turns.ts';
import { createWatchCalls } from './watch-calls.ts';

export { chargeOf, customerOf } from './payer.repository.ts';
export type { Standings } from './standings.ts';
export { subscriptionFields, subscriptionOf, type SubscriptionRow } from './subscription-row.repository.ts';

/** What subscriptions do to everything else. */
export interface Subscriptions extends Standings {
  /** Whether there is a payment host. */
  isBilled: boolean;
  around: Around;
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
  const standings = createStandings(db, isBilled);
  return {
    ...standings,
    isBilled,
    within: meter.within,
    around: createWatchCalls({ meter, standings, turns: createTurns(querySeconds) }),
  };
};
