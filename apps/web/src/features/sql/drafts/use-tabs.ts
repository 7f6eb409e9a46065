import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from '../../../api/client.ts';
import { openDraftStore, type Draft, type DraftStore } from './draft-store.ts';

/** The milliseconds after which a change is stored. Until then, it is only in memory. */
const saveDelay = 500;

export interface Tabs {
  /** Undefined until the stored drafts have been read. */
  tabs: readonly Draft[] | undefined;
  active: Draft | undefined;
  /** The ids of tabs whose drafts another window has stored since this window read them. */
  conflicts: ReadonlySet<string>;
  /** The tab that was closed last, so that closing it can be undone. */
  closed: Draft | undefined;
  select: (id: string) => void;
  open: (text: string, more?: Partial<Pick<Draft, 'name' | 'saved'>>) => string;
  change: (id: string, change: Partial<Pick<Draft, 'cursor' | 'name' | 'saved' | 'text'>>) => void;
  close: (id: string) => void;
  undoClose: () => void;
  /** Replaces the draft of this window by that of the other window. */
  takeTheirs: (id: string) => void;
  /** Copies the draft of this window to a new tab, and shows that of the other window in the old tab. */
  keepBoth: (id: string) => void;
}

const newDraft = (text: string, order: number, more: Partial<Draft> = {}): Draft => ({
  id: crypto.randomUUID(),
  name: `Query ${String(order + 1)}`,
  text,
  cursor: { from: text.length, to: text.length },
  order,
  ...more,
});

/**
 * The tabs of the workbench. Each is a draft that is stored encrypted, so that it survives a reload. If the browser has
 * no storage, tabs are lost with the page.
 * @param wantedId the id of the tab in the address
 * @param onSelect called with the tab to show
 */
export const useTabs = (wantedId: string | undefined, onSelect: (draft: Draft) => void): Tabs => {
  const [tabs, setTabs] = useState<readonly Draft[]>();
  const [conflicts, setConflicts] = useState<ReadonlySet<string>>(new Set());
  const [closed, setClosed] = useState<Draft>();
  const store = useRef<DraftStore>(undefined);
  const latest = useRef<readonly Draft[]>([]);
  const revisions = useRef(new Map<string, number>());
  const timers = useRef(new Map<string, number>());
  const select = useRef(onSelect);
  select.current = onSelect;

  const update = useCallback((change: (old: readonly Draft[]) => readonly Draft[]) => {
    latest.current = change(latest.current);
    setTabs(latest.current);
  }, []);

  const save = useCallback(async (id: string): Promise<void> => {
    clearTimeout(timers.current.get(id));
    timers.current.delete(id);
    const draft = latest.current.find((one) => one.id === id);
    if (draft === undefined || store.current === undefined) return;
    const revision = await store.current.put(draft, revisions.current.get(id) ?? 0);
    if (revision === undefined) setConflicts((old) => new Set([...old, id]));
    else revisions.current.set(id, revision);
  }, []);
  const saveSoon = useCallback(
    (id: string) => {
      if (timers.current.has(id)) return;
      timers.current.set(
        id,
        window.setTimeout(() => void save(id), saveDelay),
      );
    },
    [save],
  );

  useEffect(() => {
    const pending = timers.current;
    let isGone = false;
    const load = async (): Promise<void> => {
      const { key } = await api.getDraftKey();
      const opened = await openDraftStore(key);
      if (isGone) {
        opened.close();
        return;
      }
      store.current = opened;
      const stored = await opened.list();
      for (const { draft, revision } of stored) revisions.current.set(draft.id, revision);
      const early = latest.current;
      update((old) => [...stored.map(({ draft }) => draft), ...old]);
      for (const { id } of early) saveSoon(id);
    };
    // A browser without storage, as in a private window, still gets tabs.
    load().catch(() => update((old) => old));
    const flush = (): void => {
      for (const id of pending.keys()) void save(id);
    };
    document.addEventListener('visibilitychange', flush);
    window.addEventListener('pagehide', flush);
    return () => {
      isGone = true;
      flush();
      document.removeEventListener('visibilitychange', flush);
      window.removeEventListener('pagehide', flush);
      store.current?.close();
    };
  }, [save, saveSoon, update]);

  const add = (draft: Draft): string => {
    update((old) => [...old, draft]);
    saveSoon(draft.id);
    select.current(draft);
    return draft.id;
  };
  const nextOrder = (): number => Math.max(-1, ...latest.current.map(({ order }) => order)) + 1;
  const takeTheirs = async (id: string): Promise<void> => {
    const stored = await store.current?.list();
    const theirs = stored?.find(({ draft }) => draft.id === id);
    if (theirs !== undefined) {
      revisions.current.set(id, theirs.revision);
      update((old) => old.map((one) => (one.id === id ? theirs.draft : one)));
    }
    setConflicts((old) => new Set([...old].filter((one) => one !== id)));
  };

  return {
    tabs,
    active: tabs?.find(({ id }) => id === wantedId) ?? tabs?.at(-1),
    conflicts,
    closed,
    select: (id) => {
      const draft = latest.current.find((one) => one.id === id);
      if (draft !== undefined) select.current(draft);
    },
    open: (text, more) => add(newDraft(text, nextOrder(), more)),
    change: (id, change) => {
      update((old) => old.map((one) => (one.id === id ? { ...one, ...change } : one)));
      saveSoon(id);
    },
    close: (id) => {
      const at = latest.current.findIndex((one) => one.id === id);
      setClosed(latest.current[at]);
      clearTimeout(timers.current.get(id));
      timers.current.delete(id);
      update((old) => old.filter((one) => one.id !== id));
      revisions.current.delete(id);
      void store.current?.remove(id);
      const next = latest.current[Math.min(at, latest.current.length - 1)];
      if (next !== undefined) select.current(next);
    },
    undoClose: () => {
      if (closed !== undefined) add(closed);
      setClosed(undefined);
    },
    takeTheirs: (id) => void takeTheirs(id),
    keepBoth: (id) => {
      const mine = latest.current.find((one) => one.id === id);
      if (mine === undefined) return;
      add({ ...mine, id: crypto.randomUUID(), name: `${mine.name} (mine)`, order: nextOrder() });
      void takeTheirs(id);
    },
  };
};
