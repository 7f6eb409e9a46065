import { RedoubtError } from '@redoubt/errors';
import { createFairQueue, type FairQueue } from '@redoubt/records';

export interface ConcurrencyLimiter {
  /**
   * Waits until fewer than `bound` of the workspace run. Those who wait get their turns person by person, however many
   * one of them waits for.
   * @param signal stops the waiting
   * @returns what gives the turn back; it may be called twice
   * @throws RedoubtError 429 where the turn does not come in time
   */
  take(turn: {
    workspaceUid: string;
    person: string;
    bound: number;
    signal: AbortSignal;
  }): Promise<() => void>;
}

interface Running {
  count: number;
  waiting: FairQueue<string, void>;
}

/** @param waitSeconds how long one waits at most */
export const createConcurrencyLimiter = (waitSeconds: number): ConcurrencyLimiter => {
  const workspaces = new Map<string, Running>();

  const giveBack = (workspaceUid: string, running: Running): (() => void) => {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const turn = running.waiting.next();
      if (turn !== undefined) turn.resolve();
      else if (--running.count === 0) workspaces.delete(workspaceUid);
    };
  };

  const wait = async (
    { waiting }: Running,
    person: string,
    bound: number,
    signal: AbortSignal,
  ): Promise<void> => {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), waitSeconds * 1000);
    try {
      await waiting.wait(person, AbortSignal.any([signal, timeout.signal]), () => {
        if (!timeout.signal.aborted)
          return new RedoubtError('QueryError', 'The query was stopped while it waited for its turn.');
        const message = `The workspace runs as many queries as its subscription allows (${bound}), and none has ended in ${waitSeconds} s: try again later, or ask for a larger subscription.`;
        return new RedoubtError('ForbiddenError', message, { code: 429 });
      });
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    take: async ({ workspaceUid, person, bound, signal }) => {
      const running = workspaces.get(workspaceUid) ?? { count: 0, waiting: createFairQueue<string, void>() };
      workspaces.set(workspaceUid, running);
      if (running.count >= bound) await wait(running, person, bound, signal);
      else running.count += 1;
      return giveBack(workspaceUid, running);
    },
  };
};
