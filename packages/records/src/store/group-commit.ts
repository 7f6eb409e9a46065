import { RedoubtError } from '@redoubt/errors';
import { createLane } from '../engine/connection-queue.ts';
import { createReadWriteLock, type ReadWriteLock } from './read-write-lock.ts';

export interface GroupCommitOptions {
  /** Stores rows as one block: all or none. They are durable when it resolves. */
  insert: (datasetId: string, data: Buffer) => Promise<void>;
  /** How many inserts run concurrently. */
  lanes: number;
  /**
   * How many bytes must wait before a dataset uses another lane. One record costs about as much as thousands in an
   * insert, so a few records better wait for the next insert.
   */
  bytesForFurtherLane: number;
  /** From this many bytes on, no further batch joins an insert. */
  maxBytes: number;
  /**
   * How an insert waits for writers that wrote recently: it starts when no new batch has arrived for this many
   * milliseconds, or for the duration of the previous insert if that was longer.
   */
  patienceMs?: number;
}

const defaultPatienceMs = 10;
/** The longest wait of an insert, as a multiple of `patienceMs`. */
const maxWait = 5;

export interface GroupCommit {
  /**
   * Stores the rows of one batch. Batches that arrive while an insert runs share the next insert. A batch that cannot
   * be stored fails alone. If several writers wrote recently, an insert waits some milliseconds for them; a lone writer
   * never waits.
   * @param stored called when the batch is stored, before work under `alone` starts
   */
  add(datasetId: string, data: Buffer, stored: () => void): Promise<void>;
  /**
   * Runs work that stores separate blocks, which never contain rows of other batches, while no work under `alone` runs.
   * @param work gets a function that stores one block, and calls `stored` when it is stored
   */
  single(
    datasetId: string,
    work: (store: (data: Buffer, stored: () => void) => Promise<void>) => Promise<void>,
  ): Promise<void>;
  /** Runs work while no insert into the dataset runs. */
  alone<Result>(datasetId: string, work: () => Promise<Result>): Promise<Result>;
}

interface Batch {
  data: Buffer;
  stored: () => void;
  resolve: () => void;
  reject: (error: unknown) => void;
}

interface Queue {
  batches: Batch[];
  bytes: number;
  pumps: number;
  /** Wakes the pump that waits for further batches. */
  onBatch: (() => void) | undefined;
}

export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { insert, lanes, bytesForFurtherLane, maxBytes, patienceMs = defaultPatienceMs } = options;
  const queues = new Map<string, Queue>();
  const slots = createLane(Array.from({ length: lanes }, (_, slot) => slot));
  const locks = new Map<string, { lock: ReadWriteLock; users: number }>();

  /** Runs work under the lock of the dataset, which is deleted with its last user. */
  async function locked<Result>(
    datasetId: string,
    mode: keyof ReadWriteLock,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const held = locks.get(datasetId) ?? { lock: createReadWriteLock(), users: 0 };
    locks.set(datasetId, held);
    held.users++;
    const release = await held.lock[mode]();
    try {
      return await work();
    } finally {
      release();
      if (--held.users === 0) locks.delete(datasetId);
    }
  }

  const queueOf = (datasetId: string): Queue => {
    let queue = queues.get(datasetId);
    if (queue === undefined) {
      queue = { batches: [], bytes: 0, pumps: 0, onBatch: undefined };
      queues.set(datasetId, queue);
    }
    return queue;
  };

  /** Inserts batches until none is left and no writer is expected. */
  async function pump(datasetId: string, queue: Queue): Promise<void> {
    /** The estimated number of concurrent writers, including those that are about to write again. */
    let company = 0;
    for (;;) {
      const { stored, tookMs } = await insertOnce(datasetId, queue);
      // If several pumps run, this one ends, because further pumps are only for large amounts of waiting data.
      if (stored === 0 || queue.pumps > 1) return;
      company = Math.max(company, stored + queue.batches.length);
      if (company === 1) continue;
      const came = await untilWaiting(queue, company, patienceMs, tookMs);
      if (!came) company = queue.batches.length;
    }
  }

  /**
   * Runs one insert. It waits for its lane before it collects batches, so that batches that arrive meanwhile join it.
   */
  async function insertOnce(datasetId: string, queue: Queue): Promise<{ stored: number; tookMs: number }> {
    return locked(datasetId, 'share', async () => {
      const slot = await slots.take();
      try {
        const gathered = gather(queue, maxBytes);
        const start = performance.now();
        if (gathered.length > 0) await store(datasetId, gathered);
        return { stored: gathered.length, tookMs: performance.now() - start };
      } finally {
        slots.giveBack(slot);
      }
    });
  }

  async function store(datasetId: string, batches: Batch[]): Promise<void> {
    try {
      const [first] = batches;
      const data =
        batches.length === 1 && first !== undefined
          ? first.data
          : Buffer.concat(batches.map((batch) => batch.data));
      await insert(datasetId, data);
    } catch (error) {
      // An engine that became unavailable may have stored the rows, so a retry could store them twice.
      const isGone = error instanceof RedoubtError && error.name === 'AccumuloError';
      if (isGone) for (const batch of batches) batch.reject(error);
      else if (batches.length === 1) batches[0]?.reject(error);
      else for (const batch of batches) await store(datasetId, [batch]);
      return;
    }
    for (const batch of batches) {
      batch.stored();
      batch.resolve();
    }
  }

  function startPump(datasetId: string, queue: Queue): void {
    if (queue.batches.length === 0) {
      if (queue.pumps === 0) queues.delete(datasetId);
      return;
    }
    if (queue.pumps >= lanes || (queue.pumps > 0 && queue.bytes < bytesForFurtherLane)) return;
    queue.pumps++;
    void pump(datasetId, queue).finally(() => {
      queue.pumps--;
      startPump(datasetId, queue);
    });
  }

  return {
    add: async (datasetId, data, stored) =>
      new Promise<void>((resolve, reject) => {
        const queue = queueOf(datasetId);
        queue.batches.push({ data, stored, resolve, reject });
        queue.bytes += data.length;
        queue.onBatch?.();
        startPump(datasetId, queue);
      }),
    single: async (datasetId, work) =>
      locked(datasetId, 'share', async () =>
        work(async (data, stored) => {
          const slot = await slots.take();
          try {
            await insert(datasetId, data);
          } finally {
            slots.giveBack(slot);
          }
          stored();
        }),
      ),
    alone: async (datasetId, work) => locked(datasetId, 'own', work),
  };
}

/**
 * Waits until a number of batches has arrived, as long as new ones keep arriving. Writers that just got their response
 * are about to write again. Without this wait, the first of them would start an insert for one record, and all others
 * would wait for it.
 * @param tookMs the milliseconds of the previous insert; on a busy machine, requests of writers take about as long
 * @returns whether all of them arrived
 */
async function untilWaiting(
  queue: Queue,
  wanted: number,
  patienceMs: number,
  tookMs: number,
): Promise<boolean> {
  if (queue.batches.length >= wanted) return true;
  const longestMs = patienceMs * maxWait;
  if (longestMs === 0) return false;
  return new Promise((resolve) => {
    const go = (): void => {
      clearTimeout(quiet);
      clearTimeout(deadline);
      queue.onBatch = undefined;
      resolve(queue.batches.length >= wanted);
    };
    const quiet = setTimeout(go, Math.min(Math.max(patienceMs, tookMs), longestMs));
    const deadline = setTimeout(go, longestMs);
    queue.onBatch = () => {
      if (queue.batches.length >= wanted) go();
      else quiet.refresh();
    };
  });
}

function gather(queue: Queue, maxBytes: number): Batch[] {
  let count = 0;
  let bytes = 0;
  for (const { data } of queue.batches) {
    if (count > 0 && bytes + data.length > maxBytes) break;
    bytes += data.length;
    count++;
  }
  queue.bytes -= bytes;
  return queue.batches.splice(0, count);
}
