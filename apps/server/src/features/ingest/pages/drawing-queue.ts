import { tooMany } from '@redoubt/errors';
import { createPersonShares } from '../../../platform/http/protection/person-shares.ts';

/** How many pages are drawn at once, for one person and for the server. One slot is always left for other people. */
const drawing = { perPerson: 1, total: 2 };
/** How many pages are drawn or wait. */
const queued = { perPerson: 30, total: 300 };

/** Who requests a picture. */
export interface PageRequester {
  accountId: string;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

interface Draw<Result> {
  result: Promise<Result>;
  controller: AbortController;
  requesters: number;
}

interface Waiting {
  accountId: string;
  start: () => void;
}

/** Runs draws side by side, a few of each person. */
export interface DrawingQueue<Result> {
  /**
   * Runs a draw once, however many requests wait for it, and stops it when all of them have disconnected.
   * @param key the same for the same draw
   * @throws ForbiddenError 429 if too many draws wait
   */
  run(key: string, requester: PageRequester, draw: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
}

export const createDrawingQueue = <Result>(): DrawingQueue<Result> => {
  const draws = new Map<string, Draw<Result>>();
  const running = createPersonShares(drawing);
  const places = createPersonShares(queued);
  let waiting: Waiting[] = [];

  const startWaiting = (): void => {
    const left: Waiting[] = [];
    for (const entry of waiting) {
      if (running.take(entry.accountId, 1) === undefined) entry.start();
      else left.push(entry);
    }
    waiting = left;
  };

  const inTurn = async (
    accountId: string,
    signal: AbortSignal,
    draw: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    const turn = Promise.withResolvers<void>();
    const entry = { accountId, start: turn.resolve };
    const leave = (): void => {
      if (!waiting.includes(entry)) return;
      waiting = waiting.filter((other) => other !== entry);
      turn.reject(signal.reason as Error);
    };
    signal.addEventListener('abort', leave, { once: true });
    waiting.push(entry);
    startWaiting();
    await turn.promise;
    try {
      signal.throwIfAborted();
      return await draw(signal);
    } finally {
      signal.removeEventListener('abort', leave);
      running.giveBack(accountId, 1);
      startWaiting();
    }
  };

  const begin = (
    key: string,
    accountId: string,
    draw: (signal: AbortSignal) => Promise<Result>,
  ): Draw<Result> => {
    if (places.take(accountId, 1) !== undefined)
      throw tooMany('Too many pictures of pages are being made. Send the request again in a few seconds.', 2);
    const controller = new AbortController();
    const begun: Draw<Result> = {
      controller,
      requesters: 0,
      result: inTurn(accountId, controller.signal, draw).finally(() => {
        places.giveBack(accountId, 1);
        if (draws.get(key) === begun) draws.delete(key);
      }),
    };
    // All requests may have disconnected.
    begun.result.catch(() => undefined);
    draws.set(key, begun);
    return begun;
  };

  return {
    run: async (key, { accountId, signal }, draw) => {
      signal.throwIfAborted();
      const shared = draws.get(key) ?? begin(key, accountId, draw);
      shared.requesters++;
      const left = Promise.withResolvers<never>();
      const leave = (): void => {
        left.reject(signal.reason as Error);
        if (--shared.requesters > 0) return;
        // A later request starts anew.
        draws.delete(key);
        shared.controller.abort();
      };
      signal.addEventListener('abort', leave, { once: true });
      try {
        return await Promise.race([shared.result, left.promise]);
      } finally {
        signal.removeEventListener('abort', leave);
      }
    },
  };
};
