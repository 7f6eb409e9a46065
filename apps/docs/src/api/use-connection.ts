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

/** For browsers that give no storage of the tab: then nothing is kept. */
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

/** One for all pages of the reference, so that what the reader entered holds from page to page. */
let connection: Connection | undefined;

const connect = (site: string): Connection => (connection ??= createConnection(site, tabStorage()));

const unsubscribe = (): void => undefined;
const neverChanges = (): (() => void) => unsubscribe;

/** What is known before the browser takes over. */
const beforehand = new Map<string, ConnectionState>();
const stateBeforehand = (origin: string): ConnectionState => {
  const state = beforehand.get(origin) ?? { origin, isForeign: false, namedBy: 'site', isKept: false };
  beforehand.set(origin, state);
  return state;
};

/**
 * Where requests go. While the page is rendered on the server, and for the first moment in the browser, that is the
 * address in the settings of the site, and `connection` is absent.
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
