import type { Engine } from '@redoubt/records';
import { AsyncLocalStorage } from 'node:async_hooks';

/** What is measured while it happens: `compute` in milliseconds of the record engine, `network` in bytes of answers. */
export type CollectedMeter = 'compute' | 'network';

export interface CollectedUsage {
  workspaceUid: string;
  meter: CollectedMeter;
  amount: number;
}

/** Collects in memory what workspaces use. It reads no clock: whoever takes what was collected knows the day. */
export interface Meter {
  /** Counts the queries that `work` has the engine run for the workspace. */
  within<T>(workspaceUid: string, work: () => T): T;
  /** The same engine, whose queries are timed for the workspace within which they are asked. */
  watchEngine(engine: Engine): Engine;
  /** Told how long a query waited for its turn, in its own course: nobody pays for waiting. */
  waited(ms: number): void;
  add(workspaceUid: string, meter: CollectedMeter, amount: number): void;
  /** What was collected since it was last taken, in one order for all processes. */
  take(): CollectedUsage[];
}

const keyOf = (workspaceUid: string, meter: CollectedMeter): string => `${workspaceUid} ${meter}`;

/** @param stopwatch milliseconds, from whenever */
export const createMeter = (stopwatch = (): number => performance.now()): Meter => {
  const workspaces = new AsyncLocalStorage<string>();
  /** The workspace of the query that is being run: inserts wait, too, and are not counted. */
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

  /** Counts the time that chunks are waited for, and not the time that their reader takes. */
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
