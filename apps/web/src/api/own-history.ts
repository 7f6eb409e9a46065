import { createBrowserHistory, type RouterHistory } from '@tanstack/react-router';
import { invitationPath } from './page-session.ts';

/** The session of this page, which each entry of its history names. */
let owner: string | undefined;

const stateKey = 'redoubtSession';

const ownerOf = (state: unknown): unknown =>
  typeof state === 'object' && state !== null ? (state as Record<string, unknown>)[stateKey] : undefined;

const withOwner = (state: unknown): Record<string, unknown> => ({
  ...(state as Record<string, unknown> | null),
  [stateKey]: owner,
});

/** Whether the browser went back or forward to this page. */
const isRevisited = (): boolean => {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return entry?.type === 'back_forward';
};

/**
 * Makes the page that is loaded one of this session. Back can lead to a page of another session, whose address holds values
 * that the person may not see: of such an address the path alone is kept.
 */
export const claimAddress = (sessionId: string): void => {
  owner = sessionId;
  const { state } = history as { state: unknown };
  const before = ownerOf(state);
  if (before === sessionId) return;
  const isForeign = before === undefined ? isRevisited() : true;
  // The address of an invitation is for the person who accepts it.
  const isKept = !isForeign || location.pathname === invitationPath;
  history.replaceState(withOwner(state), '', isKept ? location.href : location.pathname);
};

/** The history of the browser. Each entry names the session that it belongs to. */
export const createOwnHistory = (): RouterHistory => {
  const own = createBrowserHistory();
  const { push, replace } = own;
  own.push = (path, state, options) => push(path, withOwner(state), options);
  own.replace = (path, state, options) => replace(path, withOwner(state), options);
  return own;
};
