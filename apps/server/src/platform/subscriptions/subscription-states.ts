import { forbidden } from '@redoubt/errors';
import { isSingleProcess, type Db } from '../db/database.ts';
import {
  createSubscriptionStateRepository,
  type SubscriptionState,
} from './subscription-state.repository.ts';

export interface SubscriptionStates {
  /** As it is now, or was a few seconds ago; undefined where nothing is limited. */
  of(workspaceUid: string): Promise<SubscriptionState | undefined>;
  /** It has changed. */
  forget(workspaceUid: string): void;
  /** @throws RedoubtError 403 where the workspace can only be read, as its subscription is not paid */
  requireOpen(workspaceUid: string): Promise<void>;
  /** The same, as it is in a transaction. */
  requireOpenIn(trx: Db, workspaceUid: string): Promise<void>;
}

/** Other processes change it, too, and it is asked with every request. */
const keptMs = 5000;
const mostKept = 10_000;

/** Whether the workspace can only be read. */
export const isReadOnly = (standing: SubscriptionState | undefined): boolean =>
  standing?.status === 'unpaid' ||
  standing?.status === 'canceled' ||
  standing?.status === 'incomplete_expired';

/** Why something that would change a workspace is refused. */
export const readOnlyError = (standing: SubscriptionState | undefined) => {
  const wayOut =
    standing?.status === 'unpaid'
      ? 'pays by POST /billing/portal'
      : 'begins a new one by POST /billing/checkout';
  return forbidden(
    `The subscription of this workspace is ${standing?.status}, so it can be read and not changed. An admin, or a holder of manage-billing, ${wayOut}; then everything works as before.`,
  );
};

const refuseClosed = (standing: SubscriptionState | undefined): void => {
  if (isReadOnly(standing)) throw readOnlyError(standing);
};

/** @param isBilled whether there is a payment host: without one nothing is limited, and nothing is read */
export const createSubscriptionStates = (db: Db, isBilled: boolean): SubscriptionStates => {
  const repository = createSubscriptionStateRepository(db);
  const kept = new Map<string, { reading: Promise<SubscriptionState | undefined>; until: number }>();

  const of = async (workspaceUid: string): Promise<SubscriptionState | undefined> => {
    if (!isBilled) return undefined;
    const now = performance.now();
    const known = kept.get(workspaceUid);
    if (known !== undefined && known.until > now) return known.reading;
    if (kept.size >= mostKept) kept.clear();
    const reading = repository.find(workspaceUid);
    // Nobody but this process changes the embedded database, and this process says so.
    kept.set(workspaceUid, { reading, until: isSingleProcess(db) ? Infinity : now + keptMs });
    reading.catch(() => kept.delete(workspaceUid));
    return reading;
  };

  return {
    of,
    forget: (workspaceUid) => void kept.delete(workspaceUid),
    requireOpen: async (workspaceUid) => refuseClosed(await of(workspaceUid)),
    requireOpenIn: async (trx, workspaceUid) => {
      if (isBilled) refuseClosed(await createSubscriptionStateRepository(trx).find(workspaceUid));
    },
  };
};
