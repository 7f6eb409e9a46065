import type { Engine } from '@redoubt/records';
import { AsyncLocalStorage } from 'node:async_hooks';

/** What is metered continuously: `compute` in milliseconds of the record engine, `network` in bytes of responses. */
export type CollectedMeter = 'compute' | 'network';

export interface CollectedUsage {
  workspaceUid: string;
  meter: CollectedMeter;
  amount: number;
}

/** Collects the usage of workspaces in memory. It reads no clock: the caller of `take` knows the day. */
export interface Meter {
  /** Runs `work` and charges its engine queries to the workspace. */
  within<T>(workspaceUid: string, work: () => T): T;
  /** Wraps an engine so that its queries are timed for the workspace of the surrounding `within`. */
  watchEngine(engine: Engine): Engine;
  /**
   * Subtracts the time that a query waited for a connection, which is not charged. Call it in the query's async
   * context.
   */
  waited(ms: number): void;
  add(workspaceUid: string, meter: CollectedMeter, amount: number): void;
  /** Returns and resets the collected usage, in the same order in all processes. */
  take(): CollectedUsage[];
}

const keyOf = (workspaceUid: string, meter: CollectedMeter): string => `${workspaceUid} ${meter}`;

/** @param stopwatch returns milliseconds from an arbitrary start */
export const createMeter = (stopwatch = (): number => performance.now()): Meter => {
  const workspaces = new AsyncLocalStorage<string>();
  /** The workspace of the running query. Set only for queries, since inserts also wait but are not charged. */
  const queries = new AsyncLocalStorage<string>();
  let collected = new Map<string, CollectedUsage>();

  const add = (workspaceUid: string, meter: CollectedMeter, amount: number): void => {
    const key = keyOf(workspaceUid, meter);
    const known = collected.get(key);
    if (known === undefined) collected.set(key, { workspaceUid, meter, amount });
    else known.amount += amount;
  };

  const timed = async <T>(workspaceUid: string, work: () => Promise<T>): Promise<T> => {
    const from = stopwatch();
    try {
      return await queries.run(workspaceUid, work);
    } finally {
      add(workspaceUid, 'compute', stopwatch() - from);
    }
  };

  const counted = <T>(work: () => Promise<T>): Promise<T> => {
    const workspaceUid = workspaces.getStore();
    return workspaceUid === undefined ? work() : timed(workspaceUid, work);
  };

  /** Counts the time spent waiting for chunks, but not the time that the consumer takes. */
  async function* timedChunks(
    workspaceUid: string,
    chunks: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    const iterator = chunks[Symbol.asyncIterator]();
    let isDone = false;
    try {
      for (;;) {
        const next = await timed(workspaceUid, () => iterator.next());
        if (next.done === true) {
          isDone = true;
          return;
        }
        yield next.value;
      }
    } finally {
      if (!isDone) await iterator.return?.();
    }
  }

  return {
    within: (workspaceUid, work) => workspaces.run(workspaceUid, work),
    add,
    waited: (ms) => {
      const workspaceUid = queries.getStore();
      if (workspaceUid !== undefined) add(workspaceUid, 'compute', -ms);
    },
    take: () => {
      const taken = [...collected].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
      collected = new Map();
      return taken;
    },
    watchEngine: (engine) => ({
      ...engine,
      query: (sql, options) => {
        const workspaceUid = workspaces.getStore();
        const chunks = engine.query(sql, options);
        return workspaceUid === undefined ? chunks : timedChunks(workspaceUid, chunks);
      },
      bytes: (sql, options) => counted(() => engine.bytes(sql, options)),
      text: (sql, options) => counted(() => engine.text(sql, options)),
      command: (sql, options) => counted(() => engine.command(sql, options)),
    }),
  };
};
