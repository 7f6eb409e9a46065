/**
 * Work that waits, in one queue for each key. The queues are served in turn, so that a key with much work delays the
 * others by one entry at most.
 */
export interface FairQueue<Key, Turn> {
  /**
   * Joins the queue of `key`. Resolves with the turn that the caller of `next` passes on.
   * @throws what `abortError` returns, once the signal aborts
   */
  wait(key: Key, signal: AbortSignal | undefined, abortError: (signal: AbortSignal) => Error): Promise<Turn>;
  /** Removes the next entry whose key may run. Call `resolve` of the result to give the entry its turn. */
  next(mayRun?: (key: Key) => boolean): { key: Key; resolve: (turn: Turn) => void } | undefined;
  /** Empties all queues; every entry rejects with the error. */
  rejectAll(makeError: () => Error): void;
}

interface Entry<Turn> {
  resolve: (turn: Turn) => void;
  reject: (reason: Error) => void;
}

/** Makes an empty queue. */
export function createFairQueue<Key, Turn>(): FairQueue<Key, Turn> {
  /** The key whose turn it is comes first. A key has a queue only while entries of it wait. */
  const queues = new Map<Key, Set<Entry<Turn>>>();
  return {
    wait: (key, signal, abortError) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(abortError(signal));
          return;
        }
        const queue = queues.get(key) ?? new Set();
        const onAbort = (): void => {
          queue.delete(entry);
          if (queue.size === 0 && queues.get(key) === queue) queues.delete(key);
          if (signal !== undefined) reject(abortError(signal));
        };
        const entry: Entry<Turn> = {
          resolve: (turn) => {
            signal?.removeEventListener('abort', onAbort);
            resolve(turn);
          },
          reject,
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        queue.add(entry);
        queues.set(key, queue);
      }),
    next(mayRun = () => true) {
      for (const [key, queue] of queues) {
        const [entry] = queue;
        if (entry === undefined || !mayRun(key)) continue;
        queue.delete(entry);
        queues.delete(key);
        if (queue.size > 0) queues.set(key, queue);
        return { key, resolve: entry.resolve };
      }
      return undefined;
    },
    rejectAll(makeError) {
      for (const queue of queues.values()) for (const entry of queue) entry.reject(makeError());
      queues.clear();
    },
  };
}
