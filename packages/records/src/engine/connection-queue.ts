import { abortReason, engineUnavailable } from './engine-errors.ts';
import type { EngineLane } from './engine.ts';
import { createFairQueue } from '../fair-queue.ts';

/** How many statements run concurrently in each lane. */
export const defaultLanes: Readonly<Record<EngineLane, number>> = { write: 2, short: 6, long: 8 };

export interface Lane<Connection> {
  /**
   * Takes a free connection, or waits for one. Give it back with the same `person`. One person gets at most half of the
   * connections, and people who wait take turns. Without `person`, for work of the server itself, there is no such
   * limit.
   */
  take(signal?: AbortSignal, person?: string): Promise<Connection>;
  giveBack(connection: Connection, person?: string): void;
  /** Rejects all waiting and later calls of `take` with 503. */
  close(): void;
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
  const queue = createFairQueue<string | undefined, Connection>();
  let closed = false;

  const mayTake = (person: string | undefined): boolean =>
    person === undefined || (held.get(person) ?? 0) < share;

  function hold(person: string | undefined, change: 1 | -1): void {
    const count = (held.get(person) ?? 0) + change;
    if (count === 0) held.delete(person);
    else held.set(person, count);
  }

  return {
    async take(signal, person) {
      if (closed) throw engineUnavailable();
      if (signal?.aborted === true) throw abortReason(signal);
      const ready = mayTake(person) ? free.pop() : undefined;
      if (ready !== undefined) hold(person, 1);
      const from = performance.now();
      const connection = ready ?? (await queue.wait(person, signal, abortReason));
      waited(performance.now() - from);
      return connection;
    },
    giveBack(connection, person) {
      hold(person, -1);
      const turn = queue.next(mayTake);
      if (turn === undefined) {
        free.push(connection);
        return;
      }
      hold(turn.key, 1);
      turn.resolve(connection);
    },
    close() {
      closed = true;
      queue.rejectAll(engineUnavailable);
    },
  };
}
