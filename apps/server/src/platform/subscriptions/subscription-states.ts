import { forbidden } from '@redoubt/errors';
import { isSingleProcess, type Db } from '../db/database.ts';
import {
  createSubscriptionStateRepository,
  type SubscriptionState,
} from './subscription-state.repository.ts';

export interface SubscriptionStates {
  /** The state now or a few seconds ago; undefined if nothing is limited. */
  of(workspaceUid: string): Promise<SubscriptionState | undefined>;
  /** Drops the cached state after a change. */
  forget(workspaceUid: string): void;
  /** @throws RedoubtError 403 if the workspace is read-only because its subscription is not paid */
  requireOpen(workspaceUid: string): Promise<void>;
  /** Like `requireOpen`, reading the state in a transaction. */
  requireOpenIn(trx: Db, workspaceUid: string): Promise<void>;
}

/** How long a state is cached: every request needs it, and other processes change it, too. */
const cacheMs = 5000;
const maxCached = 10_000;

/** Whether the workspace is read-only. */
export const isReadOnly = (state: SubscriptionState | undefined): boolean =>
  state?.status === 'unpaid' || state?.status === 'canceled' || state?.status === 'incomplete_expired';

/** The error for a change in a read-only workspace. */
export const readOnlyError = (state: SubscriptionState | undefined) => {
  const solution =
    state?.status === 'unpaid'
      ? 'can pay with POST /billing/portal'
      : 'can start a new one with POST /billing/checkout';
  return forbidden(
    `The subscription of this workspace is ${state?.status}, so the workspace is read-only. An admin, or a holder of manage-billing, ${solution}; then everything works as before.`,
  );
};

const requireWritable = (state: SubscriptionState | undefined): void => {
  if (isReadOnly(state)) throw readOnlyError(state);
};

/** @param isBilled whether a payment provider is set up: without one nothing is limited, and nothing is read */
export const createSubscriptionStates = (db: Db, isBilled: boolean): SubscriptionStates => {
  const repository = createSubscriptionStateRepository(db);
  const cached = new Map<string, { reading: Promise<SubscriptionState | undefined>; until: number }>();

  const of = async (workspaceUid: string): Promise<SubscriptionState | undefined> => {
    if (!isBilled) return undefined;
    const now = performance.now();
    const known = cached.get(workspaceUid);
    if (known !== undefined && known.until > now) return known.reading;
    if (cached.size >= maxCached) cached.clear();
    const reading = repository.find(workspaceUid);
    // Only this process changes the embedded database, and it calls `forget` after every change.
    cached.set(workspaceUid, { reading, until: isSingleProcess(db) ? Infinity : now + cacheMs });
    reading.catch(() => cached.delete(workspaceUid));
    return reading;
  };

  return {
    of,
    forget: (workspaceUid) => void cached.delete(workspaceUid),
    requireOpen: async (workspaceUid) => requireWritable(await of(workspaceUid)),
    requireOpenIn: async (trx, workspaceUid) => {
      if (isBilled) requireWritable(await createSubscriptionStateRepository(trx).find(workspaceUid));
    },
  };
};
