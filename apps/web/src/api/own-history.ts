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

/**
 * Marks the current history entry as one of this session. The Back button can lead to a page of another session, whose
 * address contains values that this person may not see, so only the path of such an address is kept.
 */
export const claimAddress = (sessionId: string): void => {
  owner = sessionId;
  const { state } = history as { state: unknown };
  const before = ownerOf(state);
  if (before === sessionId) return;
  const isForeign = before === undefined ? isRevisited() : true;
  // The address of an invitation is meant for the person who accepts it, so it is kept.
  const isKept = !isForeign || location.pathname === invitationPath;
  history.replaceState(withOwner(state), '', isKept ? location.href : location.pathname);
};

/** The browser history, with the id of its session in the state of each entry. */
export const createOwnHistory = (): RouterHistory => {
  const own = createBrowserHistory();
  const { push, replace } = own;
  own.push = (path, state, options) => push(path, withOwner(state), options);
  own.replace = (path, state, options) => replace(path, withOwner(state), options);
  return own;
};
