import { useLocation } from '@docusaurus/router';
import useBaseUrl from '@docusaurus/useBaseUrl';
import useDocusaurusContext from '@docusaurus/useDocusaurusContext';
import useIsBrowser from '@docusaurus/useIsBrowser';
import { useEffect, useSyncExternalStore } from 'react';
import {
  createConnection,
  type Connection,
  type ConnectionState,
  type CredentialStorage,
} from './connection.ts';
import { isLoadedFrom, loadAnewFor } from './document-policy.ts';

/** The storage for browsers that offer none: nothing is kept. */
const noStorage: CredentialStorage = {
  getItem: () => null,
  setItem: () => undefined,
  removeItem: () => undefined,
};

const tabStorage = (): CredentialStorage => {
  try {
    return window.sessionStorage;
  } catch {
    return noStorage;
  }
};

/** All pages of the reference share one connection, so that the input of the reader survives navigation. */
let connection: Connection | undefined;

const connect = (site: string): Connection => (connection ??= createConnection(site, tabStorage()));

const unsubscribe = (): void => undefined;
const neverChanges = (): (() => void) => unsubscribe;

/** The state before hydration. */
const beforehand = new Map<string, ConnectionState>();
const stateBeforehand = (origin: string): ConnectionState => {
  const state = beforehand.get(origin) ?? { origin, isForeign: false, namedBy: 'site', isKept: false };
  beforehand.set(origin, state);
  return state;
};

/**
 * The target of requests. During server-side rendering and before hydration it is the address in the settings of the
 * site, and `connection` is absent.
 */
export const useConnection = (): { state: ConnectionState; connection?: Connection } => {
  const { siteConfig } = useDocusaurusContext();
  const { search } = useLocation();
  const isBrowser = useIsBrowser();
  const present = isBrowser ? connect(window.location.origin) : undefined;
  const state = useSyncExternalStore(
    present?.subscribe ?? neverChanges,
    present?.state ?? (() => stateBeforehand(siteConfig.url)),
    () => stateBeforehand(siteConfig.url),
  );
  useEffect(() => present?.followAddress(search), [present, search]);
  const section = useBaseUrl('/api/');
  useEffect(() => {
    if (state.isForeign && !isLoadedFrom(section)) loadAnewFor(state.origin);
  }, [state, section]);
  return present === undefined ? { state } : { state, connection: present };
};
