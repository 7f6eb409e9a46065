import { abortReason, engineUnavailable } from './engine-errors.ts';
import type { EngineLane } from './engine.ts';
import { createFairQueue } from '../fair-queue.ts';

/** Statements that run side by side in each lane. */
export const defaultLanes: Readonly<Record<EngineLane, number>> = { write: 2, short: 6, long: 8 };

export interface Lane<Connection> {
  /**
   * Takes a free connection; the caller gives it back, naming the same person. One person holds half of the lane at most,
   * and people who wait get what is given back in turn. Work of nobody in particular, where `person` is absent, has no
   * such bound.
   */
  take(signal?: AbortSignal, person?: string): Promise<Connection>;
  giveBack(connection: Connection, person?: string): void;
  /** Whoever waits, and whoever comes, is told that the engine is not there. */
  close(): void;
}

/**
 * Queues, one a person, for a few connections, each of which runs one statement at a time.
 * @param waited told how long each taker waited
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
