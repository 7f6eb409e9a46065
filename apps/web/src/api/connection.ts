import { useSyncExternalStore } from 'react';

const firstPause = 1000;
const longestPause = 10_000;
/** Statuses that a proxy sends when the server behind it does not respond. */
const gatewayStatuses = new Set([502, 503, 504]);

const listeners = new Set<() => void>();
const returns = new Set<() => void>();
let isLost = false;
let checking: Promise<void> | undefined;
let timer: number | undefined;

const setLost = (next: boolean): void => {
  if (next === isLost) return;
  isLost = next;
  for (const listener of listeners) listener();
  if (!next) for (const listener of returns) listener();
};

const isReady = async (): Promise<boolean> => {
  try {
    return (await fetch('/health', { cache: 'no-store', credentials: 'omit' })).ok;
  } catch {
    return false;
  }
};

const look = async (pause: number): Promise<void> => {
  const ready = await isReady();
  checking = undefined;
  setLost(!ready);
  if (!ready) timer = window.setTimeout(() => void check(Math.min(longestPause, pause * 2)), pause);
};

/**
 * Checks whether the server is ready. While it is not, checks again with growing pauses.
 * @param pause milliseconds until the next check
 */
const check = (pause = firstPause): Promise<void> => {
  clearTimeout(timer);
  checking ??= look(pause);
  return checking;
};

/** Checks at once whether the server can be reached again. */
export const checkConnection = (): Promise<void> => check();

/**
 * A fetch that notices when the server cannot be reached. A failed request alone does not count as a lost connection:
 * it starts a check.
 */
export const watchConnection =
  (send: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (url, init) => {
    try {
      const response = await send(url, init);
      if (isLost || gatewayStatuses.has(response.status)) void check();
      return response;
    } catch (error) {
      if (init?.signal?.aborted !== true) void check();
      throw error;
    }
  };

addEventListener('offline', () => void check());
addEventListener('online', () => void check());

export const isConnectionLost = (): boolean => isLost;

/** Calls a function whenever a lost connection is back. @returns a function that stops this */
export const onReconnect = (listener: () => void): (() => void) => {
  returns.add(listener);
  return () => void returns.delete(listener);
};

/**
 * Loads the code of a page. While the server cannot be reached it waits, so that the open page stays instead of being
 * replaced by an error.
 */
export const loadPart = async <T>(load: () => Promise<T>): Promise<T> => {
  try {
    return await load();
  } catch (error) {
    await check();
    if (!isLost) throw error;
    await new Promise<void>((resolve) => {
      const stop = onReconnect(() => {
        stop();
        resolve();
      });
    });
    return loadPart(load);
  }
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useConnectionLost = (): boolean => useSyncExternalStore(subscribe, isConnectionLost);
