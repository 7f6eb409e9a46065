import { createHmac } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, opendir, readdir, rm, rmdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { maxViewRecords, viewMinutes } from '@redoubt/contract';
import type { VisibleLabels } from '@redoubt/labels';
import { packedIdBytes } from '@redoubt/records';
import type { Clock, Random } from '../../platform/runtime.ts';
import { stillSees, type SeenStore, type SeenVisibility } from './seen-visibility.ts';
import { readNoteBytes, readViewFile, writeViewFile, type ViewCipher } from './view-file.ts';

/** What a view is of. A request finds only a view that agrees with it. */
export interface ViewScope {
  /** The account whose views share a limit. */
  person: string;
  /** The session or key that made it. */
  owner: string;
  datasetId: string;
  /** The search, filters and sort. */
  query: string;
  /** What the reader can see. */
  visible: VisibleLabels;
}

/** The order of the records of a table on a screen, as it was when the table was opened. */
export interface View extends ViewScope {
  /** What the reader saw before the ids were read. */
  seen: SeenVisibility;
  /** The state of the visible records, taken before the ids were read. */
  state: string;
  /** The ids, 16 bytes each. */
  ids: Buffer;
}

/** A page of a view. */
export interface FoundView {
  state: string;
  /** How many ids the view has. */
  total: number;
  /** The ids of the page, 16 bytes each. */
  ids: Buffer;
}

export interface ViewStore {
  /** Reads a page of a view of this scope, if its reader may still see everything that they could see then. */
  find(id: string, scope: ViewScope, page: { offset: number; limit: number }): Promise<FoundView | undefined>;
  /** Keeps a view and returns its id, which cannot be guessed; null if the view alone exceeds the limit of a person. */
  keep(view: View): Promise<string | null>;
}

/** Maximum number of views of one session or key; a further one replaces the oldest. */
const maxViewsOfOwner = 4;
/** Maximum size of all views of one person, beyond which the oldest are deleted. The latest always stays. */
const maxBytesOfPerson = maxViewRecords * packedIdBytes + 2 ** 20;
/** What the note of a view counts. Its real size would disclose how many columns and labels are hidden. */
const countedNoteBytes = 2 ** 16;
const idBytes = 18;
const sweepMilliseconds = 60_000;
/** Seconds between two uses, so that the times of the files also tell their order. Files store microseconds. */
const useStep = 0.00001;

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

interface Note {
  state: string;
  ids: number[];
  hidden: SeenVisibility['hidden'];
  codes: number[];
}

const purposeOf = ({ person, owner, datasetId, query }: ViewScope): string =>
  JSON.stringify([person, owner, datasetId, query]);

/** Returns undefined instead of failing if the file is gone. */
const unlessMissing = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

/**
 * Keeps views as encrypted files, so that they take no memory however many people open tables. A view is only an order of
 * ids: each page reads the records again, with the present rights. A view is dropped only for other views of the same
 * person. A limit for all people together would disclose how much others read, and what they read depends on records
 * that this person may not see. For the same reason all views go to files, not only those beyond some total.
 * @param folder emptied at the start, and created when the first view is kept
 */
export const createViewStore = ({
  clock,
  random,
  folder,
  store,
}: {
  clock: Clock;
  random: Random;
  folder: string;
  store: SeenStore;
}): ViewStore => {
  rmSync(folder, { recursive: true, force: true });
  let keys: { cipher: ViewCipher; names: Buffer } | undefined;
  let lastUse = 0;
  let lastSweep = -Infinity;

  const useKeys = () => {
    if (keys !== undefined) return keys;
    let files = 0;
    const cipher = { key: random.bytes(32), nextFile: () => files++ };
    keys = { cipher, names: random.bytes(32) };
    return keys;
  };

  const nextUse = (): number => (lastUse = Math.max(clock.now().getTime() / 1000, lastUse + useStep));
  const oldestUse = (): number => clock.now().getTime() - viewMinutes * 60_000;

  /** A name that says nothing of whose view it is. */
  const nameOf = (text: string): string =>
    createHmac('sha256', useKeys().names).update(text).digest('base64url').slice(0, 22);
  const folderOf = (person: string): string => join(folder, nameOf(person));
  const pathOf = ({ person, owner }: ViewScope, id: string): string =>
    join(folderOf(person), `${nameOf(owner)}.${nameOf(id)}`);

  /** Deletes the files of a person that were not used for the longest time, until the others are within the limits. */
  const dropSurplus = async (person: string): Promise<void> => {
    const path = folderOf(person);
    const names = (await unlessMissing(readdir(path))) ?? [];
    const files = [];
    for (const name of names) {
      if (name.endsWith('.partial')) continue;
      const file = join(path, name);
      const found = await unlessMissing(stat(file));
      const noteBytes = await unlessMissing(readNoteBytes(file));
      if (found === undefined || noteBytes === undefined) continue;
      const size = found.size - noteBytes + countedNoteBytes;
      files.push({ name, size, usedAt: found.mtimeMs });
    }
    let bytes = 0;
    const counts = new Map<string, number>();
    for (const [age, { name, size, usedAt }] of files.toSorted((a, b) => b.usedAt - a.usedAt).entries()) {
      const [owner = ''] = name.split('.');
      const own = (counts.get(owner) ?? 0) + 1;
      counts.set(owner, own);
      bytes += size;
      const isSurplus = own > maxViewsOfOwner || (age > 0 && bytes > maxBytesOfPerson);
      if (isSurplus || usedAt < oldestUse()) await rm(join(path, name), { force: true });
    }
  };

  /** Deletes the expired files of all people, at most once a minute. */
  const sweep = async (): Promise<void> => {
    const now = clock.now().getTime();
    if (now - lastSweep < sweepMilliseconds) return;
    lastSweep = now;
    for await (const { name: person } of (await unlessMissing(opendir(folder))) ?? []) {
      const path = join(folder, person);
      for (const name of (await unlessMissing(readdir(path))) ?? []) {
        const found = await unlessMissing(stat(join(path, name)));
        if (found !== undefined && found.mtimeMs < oldestUse()) await rm(join(path, name), { force: true });
      }
      // Fails while files are left, as it should.
      await rmdir(path).catch(() => undefined);
    }
  };

  const write = async (view: View, id: string): Promise<void> => {
    const { state, seen, ids } = view;
    const note: Note = { state, ids: [...seen.ids], hidden: seen.hidden, codes: [...seen.codes] };
    const file = { path: pathOf(view, id), note: JSON.stringify(note), purpose: purposeOf(view), ids };
    const attempt = async (): Promise<void> => {
      await mkdir(folderOf(view.person), { recursive: true, mode: 0o700 });
      await writeViewFile(useKeys().cipher, { ...file, usedAt: nextUse() });
    };
    // A sweep can delete the empty folder before the file is in it.
    if ((await unlessMissing(attempt().then(() => true))) === undefined) await attempt();
  };

  return {
    find: async (id, scope, page) => {
      await sweep();
      const path = pathOf(scope, id);
      const used = await unlessMissing(stat(path));
      if (used === undefined || used.mtimeMs < oldestUse()) return undefined;
      const file = { path, purpose: purposeOf(scope), ...page };
      const found = await unlessMissing(readViewFile(useKeys().cipher, file));
      if (found === undefined) return undefined;
      const { state, ids, hidden, codes } = JSON.parse(found.note) as Note;
      const seen = { datasetId: scope.datasetId, ids: Uint32Array.from(ids), hidden, codes: new Set(codes) };
      if (!(await stillSees(store, seen, scope.visible))) return undefined;
      const now = nextUse();
      await unlessMissing(utimes(path, now, now));
      return { state, total: found.total, ids: found.ids };
    },
    keep: async (view) => {
      if (view.ids.length > maxViewRecords * packedIdBytes) return null;
      await sweep();
      const id = random.bytes(idBytes).toString('base64url');
      await write(view, id);
      await dropSurplus(view.person);
      return id;
    },
  };
};
