import { RedoubtError } from '@redoubt/errors';

/** 503: the server is stopping. */
export const serverStopping = (): RedoubtError =>
  new RedoubtError('AccumuloError', 'The server is stopping. Send the request again in a moment.', {
    retrySeconds: 5,
  });

/** Runs the work of requests. When the grace period of a stop ends, callers get 503, whatever their work waits for. */
export interface CutOff {
  /** @throws RedoubtError 503 when the grace period of a stop ends */
  run<Result>(work: () => Result | Promise<Result>): Promise<Result>;
  /**
   * Like `run` for work that changes nothing: `settled` does not wait for it, since the rest of a body may never
   * arrive.
   */
  read<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves when no work runs any more, including work whose caller has got a 503. */
  settled(): Promise<void>;
}

/** Registers only one listener on the signal, however many requests there are. */
export const createCutOff = (signal: AbortSignal | undefined): CutOff => {
  const waiting = new Set<(reason: RedoubtError) => void>();
  const running = new Set<Promise<unknown>>();
  signal?.addEventListener(
    'abort',
    () => {
      for (const reject of waiting) reject(serverStopping());
    },
    { once: true },
  );
  const read = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (signal?.aborted === true) throw serverStopping();
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    waiting.add(reject);
    try {
      return await Promise.race([work(), stopped]);
    } finally {
      waiting.delete(reject);
    }
  };
  return {
    read,
    run: <Result>(work: () => Result | Promise<Result>): Promise<Result> =>
      read(() => {
        const done = (async () => work())();
        const remove = (): void => void running.delete(done);
        running.add(done);
        done.then(remove, remove);
        return done;
      }),
    settled: async () => {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
};
