import { fromBase64Url } from '../../../parts/base64.ts';

/** The text of one tab, stored in this browser until it is saved as a query. */
export interface Draft {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly cursor: { readonly from: number; readonly to: number };
  /** The position among the tabs, as a sort key. */
  readonly order: number;
  /** The saved query that the draft changes, as it was when the draft was opened. */
  readonly saved?: { readonly id: string; readonly version: number; readonly text: string } | undefined;
}

/** A draft with its revision: how often it was stored. */
interface StoredDraft {
  readonly draft: Draft;
  readonly revision: number;
}

/** The drafts of one person in the IndexedDB of this browser. Their content is encrypted. */
export interface DraftStore {
  list(): Promise<StoredDraft[]>;
  /**
   * Stores a draft if its stored revision is still the given one.
   * @param revision the revision that this page last read or stored; 0 for a new draft
   * @returns the new revision, or undefined if another window has stored the draft since
   */
  put(draft: Draft, revision: number): Promise<number | undefined>;
  remove(id: string): Promise<void>;
  /** Closes the database after all running operations have ended. */
  close(): void;
}

interface Row {
  id: string;
  owner: string;
  revision: number;
  nonce: Uint8Array<ArrayBuffer>;
  sealed: ArrayBuffer;
}

const nonceBytes = 12;
const table = 'drafts';

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () =>
      reject(request.error ?? new Error('The browser stores nothing.')),
    );
  });

const openDatabase = (): Promise<IDBDatabase> => {
  const request = indexedDB.open('redoubt-drafts', 1);
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(table, { keyPath: 'id' }));
  return settled(request);
};

/** Derives the owner of rows from the key, which distinguishes people without disclosing who they are. */
const ownerOf = async (key: Uint8Array<ArrayBuffer>): Promise<string> => {
  const digest = await crypto.subtle.digest(
    'SHA-256',
    new Uint8Array([...new TextEncoder().encode('owner'), ...key]),
  );
  return Array.from(new Uint8Array(digest).slice(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
};

const toRow = async (key: CryptoKey, owner: string, { draft, revision }: StoredDraft): Promise<Row> => {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const plain = new TextEncoder().encode(JSON.stringify(draft));
  const additionalData = new TextEncoder().encode(draft.id);
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce, additionalData }, key, plain);
  return { id: draft.id, owner, revision, nonce, sealed };
};

/** Decrypts a row. @returns undefined if the key does not fit */
const fromRow = async (
  key: CryptoKey,
  { id, nonce, sealed, revision }: Row,
): Promise<StoredDraft | undefined> => {
  try {
    const additionalData = new TextEncoder().encode(id);
    const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: nonce, additionalData }, key, sealed);
    return { draft: JSON.parse(new TextDecoder().decode(plain)) as Draft, revision };
  } catch {
    return undefined;
  }
};

/** The last store that this page closed. The next one waits for it, so that it reads what is still being stored. */
let closing: Promise<unknown> = Promise.resolve();

/**
 * Opens the drafts of one person.
 * @param secret from `GET /me/draft-key`; keep it only in memory
 */
export const openDraftStore = async (secret: string): Promise<DraftStore> => {
  await closing;
  const bytes = fromBase64Url(secret);
  const [key, owner, database] = await Promise.all([
    crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']),
    ownerOf(bytes),
    openDatabase(),
  ]);
  bytes.fill(0);
  const rows = (mode: IDBTransactionMode): IDBObjectStore =>
    database.transaction(table, mode).objectStore(table);
  const running = new Set<Promise<unknown>>();
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    const started = work();
    running.add(started);
    try {
      return await started;
    } finally {
      running.delete(started);
    }
  };
  const list = async (): Promise<StoredDraft[]> => {
    const all = (await settled(rows('readonly').getAll())) as Row[];
    const opened = await Promise.all(
      all.filter((row) => row.owner === owner).map((row) => fromRow(key, row)),
    );
    return opened.filter((stored) => stored !== undefined).toSorted((a, b) => a.draft.order - b.draft.order);
  };
  const put = async (draft: Draft, revision: number): Promise<number | undefined> => {
    const next = revision + 1;
    const row = await toRow(key, owner, { draft, revision: next });
    const store = rows('readwrite');
    const existing = (await settled(store.get(draft.id))) as Row | undefined;
    if ((existing?.revision ?? 0) !== revision) return undefined;
    await settled(store.put(row));
    return next;
  };
  return {
    list: () => run(list),
    put: (draft, revision) => run(() => put(draft, revision)),
    remove: (id) => run(() => settled(rows('readwrite').delete(id))),
    close: () => {
      closing = Promise.allSettled([closing, ...running]).then(() => database.close());
    },
  };
};
