import { RedoubtError } from '@redoubt/errors';

export interface ConcurrencyLimiter {
  /**
   * Waits until fewer than `limit` queries of the workspace run. Waiting queries start in turn by person, however many
   * each person has.
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

interface WaitingQuery {
  person: string;
  start: () => void;
}

interface WorkspaceQueue {
  count: number;
  /** The waiting queries by person; the next person is first. Every person in the map has at least one. */
  waiting: Map<string, WaitingQuery[]>;
}

/** @param waitSeconds how long a query may wait */
export const createConcurrencyLimiter = (waitSeconds: number): ConcurrencyLimiter => {
  const workspaces = new Map<string, WorkspaceQueue>();

  const next = (waiting: WorkspaceQueue['waiting']): WaitingQuery | undefined => {
    for (const [person, [first, ...others]] of waiting) {
      waiting.delete(person);
      if (others.length > 0) waiting.set(person, others);
      return first;
    }
    return undefined;
  };

  const createRelease = (workspaceUid: string, running: WorkspaceQueue): (() => void) => {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const query = next(running.waiting);
      if (query !== undefined) query.start();
      else if (--running.count === 0) workspaces.delete(workspaceUid);
    };
  };

  const wait = (
    { waiting }: WorkspaceQueue,
    person: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        const others = waiting.get(person)?.filter((one) => one !== entry) ?? [];
        if (others.length > 0) waiting.set(person, others);
        else waiting.delete(person);
      };
      const onAbort = (): void => {
        leave();
        reject(new RedoubtError('QueryError', 'The query was canceled while it waited for others to end.'));
      };
      const timer = setTimeout(() => {
        leave();
        const message = `The subscription of this workspace allows ${limit} queries at once, and none of the running ones has ended in ${waitSeconds} s. Try again later, or ask an admin for a larger subscription.`;
        reject(new RedoubtError('ForbiddenError', message, { code: 429 }));
      }, waitSeconds * 1000);
      const entry: WaitingQuery = {
        person,
        start: () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      waiting.set(person, [...(waiting.get(person) ?? []), entry]);
    });

  return {
    acquire: async ({ workspaceUid, person, limit, signal }) => {
      const running = workspaces.get(workspaceUid) ?? {
        count: 0,
        waiting: new Map<string, WaitingQuery[]>(),
      };
      workspaces.set(workspaceUid, running);
      if (running.count >= limit) await wait(running, person, limit, signal);
      else running.count += 1;
      return createRelease(workspaceUid, running);
    },
  };
};
