import { abortReason, engineUnavailable } from './engine-errors.ts';

/** The signal of one statement. */
export interface StatementSignal {
  /** Aborted by the signal of the caller or of the engine. */
  signal: AbortSignal;
  /** Removes the listeners; call it when the statement has ended. */
  release(): void;
}

/** Combines the signals of callers with the one that stops the whole engine. */
export interface StatementSignals {
  of(caller: AbortSignal | undefined): StatementSignal;
  /** Runs one statement under its signal. */
  within<Result>(
    caller: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result>;
}

/**
 * Uses one listener on the signal of the engine for all statements; `AbortSignal.any` would add one for each.
 * @param stopped aborts all statements with 503
 */
export function createStatementSignals(stopped: AbortSignal | undefined): StatementSignals {
  const running = new Set<AbortController>();
  stopped?.addEventListener(
    'abort',
    () => {
      for (const controller of running) controller.abort(engineUnavailable());
    },
    { once: true },
  );
  const of = (caller: AbortSignal | undefined): StatementSignal => {
    const controller = new AbortController();
    const onAbort = (): void => {
      if (caller !== undefined) controller.abort(abortReason(caller));
    };
    if (stopped?.aborted === true) controller.abort(engineUnavailable());
    if (caller?.aborted === true) onAbort();
    caller?.addEventListener('abort', onAbort, { once: true });
    running.add(controller);
    return {
      signal: controller.signal,
      release: () => {
        caller?.removeEventListener('abort', onAbort);
        running.delete(controller);
      },
    };
  };
  return {
    of,
    within: async (caller, work) => {
      const { signal, release } = of(caller);
      try {
        return await work(signal);
      } finally {
        release();
      }
    },
  };
}
