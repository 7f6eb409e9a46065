import { abortReason, engineUnavailable } from './engine-errors.ts';
import type { EngineLane } from './engine.ts';

/** Statements that run side by side in each lane. */
export const defaultLanes: Readonly<Record<EngineLane, number>> = { write: 2, short: 6, long: 8 };

export interface Lane<Connection> {
  /** Takes a free connection, first come first served. The caller gives it back. */
  take(signal?: AbortSignal): Promise<Connection>;
  giveBack(connection: Connection): void;
  /** Whoever waits, and whoever comes, is told that the engine is not there. */
  close(): void;
}

interface Waiting<Connection> {
  resolve: (connection: Connection) => void;
  reject: (reason: Error) => void;
}

/**
 * A queue for a few connections, each of which runs one statement at a time.
 * @param waited told how long each taker waited
 */
export function createLane<Connection>(
  connections: readonly Connection[],
  waited: (ms: number) => void = () => undefined,
): Lane<Connection> {
  const free = [...connections];
  const waiting = new Set<Waiting<Connection>>();
  let closed = false;

  function wait(signal: AbortSignal | undefined): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        waiting.delete(entry);
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
      waiting.add(entry);
    });
  }

  return {
    async take(signal) {
      if (closed) throw engineUnavailable();
      if (signal?.aborted === true) throw abortReason(signal);
      const ready = free.pop();
      const from = performance.now();
      const connection = ready ?? (await wait(signal));
      waited(performance.now() - from);
      return connection;
    },
    giveBack(connection) {
      const [next] = waiting;
      if (next === undefined) {
        free.push(connection);
        return;
      }
      waiting.delete(next);
      next.resolve(connection);
    },
    close() {
      closed = true;
      for (const entry of waiting) entry.reject(engineUnavailable());
      waiting.clear();
    },
  };
}
