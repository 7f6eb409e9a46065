import { viewMinutes } from '@redoubt/contract';
import { includesVisibility, type VisibleLabels } from '@redoubt/labels';
import type { Clock, Random } from '../../platform/runtime.ts';

/** The order of the records of a table on a screen, as it was when the table was opened. */
export interface View {
  /** The session or key that made it. */
  owner: string;
  datasetId: string;
  /** The search, filters and sort. */
  query: string;
  /** What the reader could see. */
  visible: VisibleLabels;
  /** The state of the visible records, taken before the ids were read. */
  state: string;
  /** The ids, 16 bytes each. */
  ids: Buffer;
}

export interface ViewStore {
  /** Finds a view of this owner, dataset and query, all of which its reader may still see. */
  find(id: string, wanted: Pick<View, 'datasetId' | 'owner' | 'query' | 'visible'>): View | undefined;
  /** Keeps a view and returns its id, which cannot be guessed. */
  keep(view: View): string;
}

/** The bytes of all views of a server. */
const maxBytes = 128 * 1024 * 1024;
/** The views of one session or key; another one replaces the oldest. */
const maxViewsOfOwner = 4;
/** A view costs this much beyond its ids. */
const bytesOfView = 4096;
const idBytes = 18;

/**
 * Keeps views in memory. A view is only an order of ids: records are read, with the rights of that moment, for each page.
 * Its size counts visible records only, so which views are dropped discloses nothing else.
 */
export const createViewStore = ({ clock, random }: { clock: Clock; random: Random }): ViewStore => {
  /** In the order of their last use, the latest last. */
  const views = new Map<string, View & { usedAt: number }>();

  const use = (id: string, view: View): void => {
    views.delete(id);
    views.set(id, { ...view, usedAt: clock.now().getTime() });
  };

  const dropExpired = (): void => {
    const oldest = clock.now().getTime() - viewMinutes * 60_000;
    for (const [id, { usedAt }] of views) if (usedAt < oldest) views.delete(id);
  };

  /** Drops the views that were not used for the longest time, until the others are within the limits. */
  const dropSurplus = (owner: string): void => {
    let bytes = 0;
    let own = 0;
    for (const [id, view] of [...views].toReversed()) {
      bytes += view.ids.length + bytesOfView;
      if (view.owner === owner) own++;
      if (bytes > maxBytes || (view.owner === owner && own > maxViewsOfOwner)) views.delete(id);
    }
  };

  return {
    find: (id, { owner, datasetId, query, visible }) => {
      dropExpired();
      const view = views.get(id);
      const isSame =
        view?.owner === owner &&
        view.datasetId === datasetId &&
        view.query === query &&
        includesVisibility(visible, view.visible);
      if (!isSame) return undefined;
      use(id, view);
      return view;
    },
    keep: (view) => {
      dropExpired();
      const id = random.bytes(idBytes).toString('base64url');
      use(id, view);
      dropSurplus(view.owner);
      return id;
    },
  };
};
