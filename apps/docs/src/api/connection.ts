import { readHost } from './host.ts';

/** By what the reader is known to the server. */
export type CredentialKind = 'bearer' | 'api-key';

interface Credential {
  kind: CredentialKind;
  value: string;
}

/** Where requests go, as it is shown to the reader. */
export interface ConnectionState {
  /** Scheme, name and port of the server to which requests go. */
  origin: string;
  /** Whether it is another than the one of the site. */
  isForeign: boolean;
  /** Who named it: the site, the address of the page, or the reader. */
  namedBy: 'site' | 'link' | 'reader';
  /** Why the host of the page's address was refused. */
  refusal?: string;
  /** What kind of credential is held for this server; its value is not shown. */
  holds?: CredentialKind;
  /** Whether the credential stays in this tab when the page is loaded anew. */
  isKept: boolean;
}

/** Where credentials are kept that the reader asks to be kept; the storage of the tab. */
export type CredentialStorage = Pick<Storage, 'getItem' | 'removeItem' | 'setItem'>;

/**
 * The server to which the page sends requests, and the credential for it. A credential belongs to the origin that was
 * shown when it was entered: no other origin gets it, and it is gone when the host changes.
 */
export interface Connection {
  state(): ConnectionState;
  subscribe(listener: () => void): () => void;
  /** Takes the host of the page's address (`?host=`), if it names one. */
  followAddress(search: string): void;
  /**
   * The reader chooses another host.
   * @returns why it is refused; nothing changes then
   */
  chooseHost(host: string): string | undefined;
  /** Back to the server of the site. */
  chooseSite(): void;
  /**
   * Holds a credential for the present origin.
   * @param keep until the tab is closed; otherwise in memory, until the page is left
   */
  enter(kind: CredentialKind, value: string, keep: boolean): void;
  forget(): void;
  /** The headers with the credential for a request to this origin: none for any but the one it was entered for. */
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

  /** Kept credentials come back where the site or the reader names the host, never where a link does. */
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
