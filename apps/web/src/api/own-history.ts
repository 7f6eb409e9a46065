import { createBrowserHistory, type RouterHistory } from '@tanstack/react-router';
import { invitationPath } from './page-session.ts';

/** The session of this page. Each entry of the browser history names the session that created it. */
let owner: string | undefined;

const stateKey = 'redoubtSession';

const ownerOf = (state: unknown): unknown =>
  typeof state === 'object' && state !== null ? (state as Record<string, unknown>)[stateKey] : undefined;

const withOwner = (state: unknown): Record<string, unknown> => ({
  ...(state as Record<string, unknown> | null),
  [stateKey]: owner,
});

/** Whether the page was loaded by the Back or Forward button. */
const isRevisited = (): boolean => {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return entry?.type === 'back_forward';
};

/** Whether another session may have written the address: a page of it, or one that the Back button leads to. */
const isForeignAddress = (): boolean => ownerOf(history.state) !== undefined || isRevisited();

/**
 * Removes the query string and fragment from an address that another session may have written. The address of a link
 * that somebody has just opened stays, so that signing in leads there.
 */
export const shortenForeignAddress = (): void => {
  // The address of an invitation is meant for the person who accepts it, so it is kept.
  if (location.pathname !== invitationPath && isForeignAddress()) {
    history.replaceState(history.state, '', location.pathname);
  }
};

/**
 * Marks the current history entry as one of this session. The Back button can lead to a page of another session, whose
 * address contains values that this person may not see, so only the path of such an address is kept.
 */
export const claimAddress = (sessionId: string): void => {
  owner = sessionId;
  if (ownerOf(history.state) === sessionId) return;
  shortenForeignAddress();
  history.replaceState(withOwner(history.state), '');
};

/** The browser history, with the id of its session in the state of each entry. */
export const createOwnHistory = (): RouterHistory => {
  const own = createBrowserHistory();
  const { push, replace } = own;
  own.push = (path, state, options) => push(path, withOwner(state), options);
  own.replace = (path, state, options) => replace(path, withOwner(state), options);
  return own;
};
