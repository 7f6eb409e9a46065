import { readHost } from './host.ts';

/** How the reader is authenticated. */
export type CredentialKind = 'bearer' | 'api-key';

interface Credential {
  kind: CredentialKind;
  value: string;
}

/** The target of requests, as shown to the reader. */
export interface ConnectionState {
  /** Scheme, name and port of the server to which requests go. */
  origin: string;
  /** Whether it differs from the server of the site. */
  isForeign: boolean;
  /** Who named it: the site, the address of the page, or the reader. */
  namedBy: 'site' | 'link' | 'reader';
  /** Why the host in the page's address was rejected. */
  refusal?: string;
  /** The kind of credential kept for this server. Its value is not shown. */
  holds?: CredentialKind;
  /** Whether the credential survives a reload of this tab. */
  isKept: boolean;
}

/** The storage for credentials that the reader asks to keep: that of the tab. */
export type CredentialStorage = Pick<Storage, 'getItem' | 'removeItem' | 'setItem'>;

/**
 * The server that the page sends requests to, and the credential for it. A credential belongs to the origin that was
 * shown when it was entered. It is never sent to another origin, and it is dropped when the host changes.
 */
export interface Connection {
  state(): ConnectionState;
  subscribe(listener: () => void): () => void;
  /** Applies the host in the page's address (`?host=`), if there is one. */
  followAddress(search: string): void;
  /**
   * Changes the host, as chosen by the reader.
   * @returns the reason if it is rejected; then nothing changes
   */
  chooseHost(host: string): string | undefined;
  /** Returns to the server of the site. */
  chooseSite(): void;
  /**
   * Keeps a credential for the current origin.
   * @param keep until the tab is closed; otherwise in memory, until the page is left
   */
  enter(kind: CredentialKind, value: string, keep: boolean): void;
  forget(): void;
  /** The headers with the credential. Empty for any origin but the one it was entered for. */
  headersFor(origin: string): Record<string, string>;
}

const keyOf = (origin: string): string => `redoubt.api.credential ${origin}`;

const readKept = (text: string | null): Credential | undefined => {
  if (text === null) return undefined;
  try {
    const kept: unknown = JSON.parse(text);
    if (typeof kept !== 'object' || kept === null) return undefined;
    const { kind, value } = kept as Partial<Record<string, unknown>>;
    if ((kind !== 'bearer' && kind !== 'api-key') || typeof value !== 'string') return undefined;
    return { kind, value };
  } catch {
    return undefined;
  }
};

/** @param site the origin of the API that the site belongs to */
export const createConnection = (site: string, storage: CredentialStorage): Connection => {
  const listeners = new Set<() => void>();
  let held: (Credential & { origin: string; isKept: boolean }) | undefined;
  let target: Pick<ConnectionState, 'namedBy' | 'origin' | 'refusal'> = { origin: site, namedBy: 'site' };
  let state: ConnectionState;

  const publish = (): void => {
    state = {
      ...target,
      isForeign: target.origin !== site,
      isKept: held?.isKept === true,
      ...(held === undefined ? {} : { holds: held.kind }),
    };
    for (const listener of listeners) listener();
  };

  /** Kept credentials are restored if the site or the reader names the host, never if a link does. */
  const restore = (): void => {
    const kept = readKept(storage.getItem(keyOf(target.origin)));
    if (kept !== undefined) held = { ...kept, origin: target.origin, isKept: true };
  };

  const goTo = (next: typeof target): void => {
    const isOther = next.origin !== target.origin;
    target = next;
    if (isOther) {
      held = undefined;
      if (next.namedBy !== 'link') restore();
    }
    publish();
  };

  let addressSeen: string | undefined;
  publish();
  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    followAddress: (search) => {
      if (search === addressSeen) return;
      const isFirst = addressSeen === undefined;
      addressSeen = search;
      const hosts = new URLSearchParams(search).getAll('host');
      const [host] = hosts;
      if (host === undefined) {
        if (isFirst) restore();
        publish();
        return;
      }
      const reading =
        hosts.length > 1 ? { problem: 'The address of this page names more than one host.' } : readHost(host);
      goTo(
        'problem' in reading
          ? { origin: site, namedBy: 'link', refusal: reading.problem }
          : { origin: reading.origin, namedBy: 'link' },
      );
    },
    chooseHost: (host) => {
      const reading = readHost(host);
      if ('problem' in reading) return reading.problem;
      goTo({ origin: reading.origin, namedBy: reading.origin === site ? 'site' : 'reader' });
      return undefined;
    },
    chooseSite: () => goTo({ origin: site, namedBy: 'site' }),
    enter: (kind, value, keep) => {
      held = { kind, value, origin: target.origin, isKept: keep };
      if (keep) storage.setItem(keyOf(target.origin), JSON.stringify({ kind, value }));
      else storage.removeItem(keyOf(target.origin));
      publish();
    },
    forget: () => {
      held = undefined;
      storage.removeItem(keyOf(target.origin));
      publish();
    },
    headersFor: (origin) => {
      if (held === undefined || held.origin !== origin || target.origin !== origin) return {};
      return held.kind === 'bearer' ? { authorization: `Bearer ${held.value}` } : { 'x-api-key': held.value };
    },
  };
};
