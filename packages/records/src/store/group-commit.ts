import { RedoubtError } from '@redoubt/errors';
import { createLane } from '../engine/connection-queue.ts';
import { createReadWriteLock, type ReadWriteLock } from './read-write-lock.ts';

export interface GroupCommitOptions {
  /** Stores rows as one block: all or none, and on disk when it resolves. */
  insert: (datasetId: string, data: Buffer) => Promise<void>;
  /** How many inserts run side by side. */
  lanes: number;
  /**
   * Bytes that must wait before a dataset takes a second lane. An insert costs much the same for one record as for
   * thousands, so a few records are better gathered for the next one.
   */
  bytesForFurtherLane: number;
  /** Bytes after which no further batch joins an insert. */
  maxBytes: number;
  /**
   * Milliseconds without a new batch after which an insert waits no longer for writers who wrote a moment ago, where the
   * insert before took no longer than that.
   */
  patienceMs?: number;
}

const defaultPatienceMs = 10;
/** An insert waits no longer than so many times the patience, however steadily batches come, and however long the last one took. */
const longestWait = 5;

export interface GroupCommit {
  /**
   * Stores the rows of one batch. Batches that come while the engine is busy go with the next insert, at once when it is
   * free; a batch that cannot be stored fails alone. Where several writers were busy a moment ago, an insert waits some
   * milliseconds for them; who writes alone is never made to wait.
   * @param stored called once it is stored, before anybody who owns the dataset comes in
   */
  add(datasetId: string, data: Buffer, stored: () => void): Promise<void>;
  /**
   * Stores one block by itself, never with rows of others, as part of work during which nobody owns the dataset.
   * @param work gets what stores rows, and notes that they are stored before anything else happens
   */
  single(
    datasetId: string,
    work: (store: (data: Buffer, stored: () => void) => Promise<void>) => Promise<void>,
  ): Promise<void>;
  /** Runs work while nothing is being stored in the dataset. */
  alone<Result>(datasetId: string, work: () => Promise<Result>): Promise<Result>;
}

interface Batch {
  data: Buffer;
  stored: () => void;
  resolve: () => void;
  reject: (fault: unknown) => void;
}

interface Queue {
  batches: Batch[];
  bytes: number;
  pumps: number;
  /** Tells the pump that waits for company that a batch has come. */
  onBatch: (() => void) | undefined;
}

export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { insert, lanes, bytesForFurtherLane, maxBytes, patienceMs = defaultPatienceMs } = options;
  const queues = new Map<string, Queue>();
  const slots = createLane(Array.from({ length: lanes }, (_, slot) => slot));
  const locks = new Map<string, { lock: ReadWriteLock; users: number }>();

  /** Runs work under the dataset's lock, which is forgotten with its last user. */
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

  /** Inserts for as long as there is something to store or somebody to wait for. */
  async function pump(datasetId: string, queue: Queue): Promise<void> {
    /** How many write side by side, as far as can be told: some of them are neither in this insert nor waiting. */
    let company = 0;
    for (;;) {
      const { stored, tookMs } = await insertOnce(datasetId, queue);
      // A lane beside another is for much data at once, and ends with it.
      if (stored === 0 || queue.pumps > 1) return;
      company = Math.max(company, stored + queue.batches.length);
      if (company === 1) continue;
      const came = await untilWaiting(queue, company, patienceMs, tookMs);
      if (!came) company = queue.batches.length;
    }
  }

  /** One insert. It waits for its turn first and gathers last, so whatever came meanwhile goes with it. */
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
    } catch (fault) {
      // An engine that is not there may have stored the rows before it went: what is sent again could be there twice.
      const isGone = fault instanceof RedoubtError && fault.name === 'AccumuloError';
      if (isGone) for (const batch of batches) batch.reject(fault);
      else if (batches.length === 1) batches[0]?.reject(fault);
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
 * Waits until so many batches are there, as long as they keep coming. An insert costs much the same for one record as for
 * hundreds, and those who were just answered are about to write again: without this the first of them to do so would
 * take an insert for their record alone, and all others would wait for it.
 * @param tookMs how long the insert before took: a busy machine is as slow with the requests of writers
 * @returns whether they came
 */
async function untilWaiting(
  queue: Queue,
  wanted: number,
  patienceMs: number,
  tookMs: number,
): Promise<boolean> {
  if (queue.batches.length >= wanted) return true;
  const longestMs = patienceMs * longestWait;
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
