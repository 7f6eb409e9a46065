import { RedoubtError } from '@redoubt/errors';

/** 503: the server stops. */
export const serverStopping = (): RedoubtError =>
  new RedoubtError('AccumuloError', 'The server is stopping. Send the request again in a moment.', {
    retrySeconds: 5,
  });

/** The work of requests, which ends with 503 for its caller when a stop is out of patience, whatever it waits for. */
export interface CutOff {
  /** @throws RedoubtError 503 once the server stops */
  run<Result>(work: () => Result | Promise<Result>): Promise<Result>;
  /** The same for what changes nothing, so that `settled` does not wait for it: the rest of a body may never come. */
  read<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves when no work runs any more, that of callers who have their 503 included. */
  settled(): Promise<void>;
}

/** One listener on the signal, however many requests there are. */
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
        const forget = (): void => void running.delete(done);
        running.add(done);
        done.then(forget, forget);
        return done;
      }),
    settled: async () => {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
};
