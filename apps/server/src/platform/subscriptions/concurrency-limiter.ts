import { RedoubtError } from '@redoubt/errors';

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

interface Waiting {
  person: string;
  begin: () => void;
}

interface Running {
  count: number;
  /** By person; whose turn it is stands first. Nobody is here who does not wait. */
  waiting: Map<string, Waiting[]>;
}

/** @param waitSeconds how long one waits at most */
export const createConcurrencyLimiter = (waitSeconds: number): ConcurrencyLimiter => {
  const workspaces = new Map<string, Running>();

  const next = (waiting: Running['waiting']): Waiting | undefined => {
    for (const [person, [first, ...others]] of waiting) {
      waiting.delete(person);
      if (others.length > 0) waiting.set(person, others);
      return first;
    }
    return undefined;
  };

  const giveBack = (workspaceUid: string, running: Running): (() => void) => {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const turn = next(running.waiting);
      if (turn !== undefined) turn.begin();
      else if (--running.count === 0) workspaces.delete(workspaceUid);
    };
  };

  const wait = ({ waiting }: Running, person: string, bound: number, signal: AbortSignal): Promise<void> =>
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
        reject(new RedoubtError('QueryError', 'The query was stopped while it waited for its turn.'));
      };
      const timer = setTimeout(() => {
        leave();
        const message = `The workspace runs as many queries as its subscription allows (${bound}), and none has ended in ${waitSeconds} s: try again later, or ask for a larger subscription.`;
        reject(new RedoubtError('ForbiddenError', message, { code: 429 }));
      }, waitSeconds * 1000);
      const entry: Waiting = {
        person,
        begin: () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      waiting.set(person, [...(waiting.get(person) ?? []), entry]);
    });

  return {
    take: async ({ workspaceUid, person, bound, signal }) => {
      const running = workspaces.get(workspaceUid) ?? { count: 0, waiting: new Map<string, Waiting[]>() };
      workspaces.set(workspaceUid, running);
      if (running.count >= bound) await wait(running, person, bound, signal);
      else running.count += 1;
      return giveBack(workspaceUid, running);
    },
  };
};
