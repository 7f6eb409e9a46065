import { abortReason, engineUnavailable } from './engine-errors.ts';
import type { EngineLane } from './engine.ts';

/** How many statements run concurrently in each lane. */
export const defaultLanes: Readonly<Record<EngineLane, number>> = { write: 2, short: 6, long: 8 };

export interface Lane<Connection> {
  /**
   * Takes a free connection, or waits for one. Give it back with the same `person`. One person gets at most half of the
   * connections, and people who wait take turns. Without `person`, for work of the server itself, there is no such limit.
   */
  take(signal?: AbortSignal, person?: string): Promise<Connection>;
  giveBack(connection: Connection, person?: string): void;
  /** Rejects all waiting and later calls of `take` with 503. */
  close(): void;
}

interface Waiting<Connection> {
  resolve: (connection: Connection) => void;
  reject: (reason: Error) => void;
}

/**
 * Shares connections fairly: each person has a queue. A connection runs one statement at a time.
 * @param waited called with the time that each `take` waited
 */
export function createLane<Connection>(
  connections: readonly Connection[],
  waited: (ms: number) => void = () => undefined,
): Lane<Connection> {
  const free = [...connections];
  const share = Math.max(1, Math.floor(connections.length / 2));
  const held = new Map<string | undefined, number>();
  /** The queues of people; the first has the next turn. Every entry in a queue is still waiting. */
  const waiting = new Map<string | undefined, Set<Waiting<Connection>>>();
  let closed = false;

  const mayTake = (person: string | undefined): boolean =>
    person === undefined || (held.get(person) ?? 0) < share;

  function hold(person: string | undefined, change: 1 | -1): void {
    const count = (held.get(person) ?? 0) + change;
    if (count === 0) held.delete(person);
    else held.set(person, count);
  }

  function wait(signal: AbortSignal | undefined, person: string | undefined): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const queue = waiting.get(person) ?? new Set();
      const onAbort = (): void => {
        queue.delete(entry);
        if (queue.size === 0 && waiting.get(person) === queue) waiting.delete(person);
        if (signal !== undefined) reject(abortReason(signal));
      };
      const entry: Waiting<Connection> = {
        resolve: (connection) => {
          signal?.removeEventListener('abort', onAbort);
          resolve(connection);
        },
        reject,
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      queue.add(entry);
      waiting.set(person, queue);
    });
  }

  /** Removes the next entry that may run from its queue, and moves that queue to the end. */
  function next(): { person: string | undefined; entry: Waiting<Connection> } | undefined {
    for (const [person, queue] of waiting) {
      const [entry] = queue;
      if (entry === undefined || !mayTake(person)) continue;
      queue.delete(entry);
      waiting.delete(person);
      if (queue.size > 0) waiting.set(person, queue);
      return { person, entry };
    }
    return undefined;
  }

  return {
    async take(signal, person) {
      if (closed) throw engineUnavailable();
      if (signal?.aborted === true) throw abortReason(signal);
      const ready = mayTake(person) ? free.pop() : undefined;
      if (ready !== undefined) hold(person, 1);
      const from = performance.now();
      const connection = ready ?? (await wait(signal, person));
      waited(performance.now() - from);
      return connection;
    },
    giveBack(connection, person) {
      hold(person, -1);
      const turn = next();
      if (turn === undefined) {
        free.push(connection);
        return;
      }
      hold(turn.person, 1);
      turn.entry.resolve(connection);
    },
    close() {
      closed = true;
      for (const queue of waiting.values()) for (const entry of queue) entry.reject(engineUnavailable());
      waiting.clear();
    },
  };
}
