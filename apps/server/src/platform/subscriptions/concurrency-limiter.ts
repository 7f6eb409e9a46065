import { RedoubtError, tooMany } from '@redoubt/errors';
import { createFairQueue, type FairQueue } from '@redoubt/records';

export interface ConcurrencyLimiter {
  /**
   * Waits until fewer than `limit` queries of the workspace run. Waiting queries of different people start in turn,
   * however many one person has.
   * @param signal cancels the waiting
   * @returns a function that releases the slot; it may be called twice
   * @throws RedoubtError 429 if no slot becomes free in time
   */
  acquire(slot: {
    workspaceUid: string;
    person: string;
    limit: number;
    signal: AbortSignal;
  }): Promise<() => void>;
}

interface WorkspaceQueue {
  count: number;
  waiting: FairQueue<string, void>;
}

/** @param waitSeconds how long a query may wait */
export const createConcurrencyLimiter = (waitSeconds: number): ConcurrencyLimiter => {
  const workspaces = new Map<string, WorkspaceQueue>();

  const createRelease = (workspaceUid: string, running: WorkspaceQueue): (() => void) => {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const query = running.waiting.next();
      if (query !== undefined) query.resolve();
      else if (--running.count === 0) workspaces.delete(workspaceUid);
    };
  };

  const wait = async (
    { waiting }: WorkspaceQueue,
    person: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<void> => {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), waitSeconds * 1000);
    try {
      await waiting.wait(person, AbortSignal.any([signal, timeout.signal]), () => {
        if (!timeout.signal.aborted)
          return new RedoubtError('QueryError', 'The query was canceled while it waited for others to end.');
        const message = `The subscription of this workspace allows ${limit} queries at once, and none of the running ones has ended in ${waitSeconds} s. Try again later, or ask an admin for a larger subscription.`;
        return tooMany(message, Math.ceil(waitSeconds));
      });
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    acquire: async ({ workspaceUid, person, limit, signal }) => {
      const running = workspaces.get(workspaceUid) ?? {
        count: 0,
        waiting: createFairQueue<string, void>(),
      };
      workspaces.set(workspaceUid, running);
      if (running.count >= limit) await wait(running, person, limit, signal);
      else running.count += 1;
      return createRelease(workspaceUid, running);
    },
  };
};
