import { maxViewRecords, viewMinutes } from '@redoubt/contract';
import { includesVisibility, type VisibleLabels } from '@redoubt/labels';
import { packedIdBytes } from '@redoubt/records';
import type { Clock, Random } from '../../platform/runtime.ts';

/** The order of the records of a table on a screen, as it was when the table was opened. */
export interface View {
  /** The account whose views share a limit. */
  person: string;
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
  /** Keeps a view and returns its id, which cannot be guessed; null if it is larger than all views of a person may be. */
  keep(view: View): string | null;
}

/** The views of one session or key; another one replaces the oldest. */
const maxViewsOfOwner = 4;
/** A view costs this much beyond its ids. */
const bytesOfView = 4096;
/** The bytes of all views of one person: one view of the most records always fits. */
const maxBytesOfPerson = maxViewRecords * packedIdBytes + bytesOfView;
const idBytes = 18;

const sizeOf = ({ ids }: View): number => ids.length + bytesOfView;

/**
 * Keeps views in memory. A view is only an order of ids: records are read, with the rights of that moment, for each page.
 * A view is dropped only for other views of the same person. There is no limit for all people together: it would show each of
 * them how much the others read, whose views depend on records that this person may not see.
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

  /** Drops the views of a person that were not used for the longest time, until the others are within the limits. */
  const dropSurplus = ({ person, owner }: View): void => {
    let bytes = 0;
    let own = 0;
    for (const [id, view] of [...views].toReversed()) {
      if (view.person !== person) continue;
      bytes += sizeOf(view);
      if (view.owner === owner) own++;
      if (bytes > maxBytesOfPerson || (view.owner === owner && own > maxViewsOfOwner)) views.delete(id);
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
      if (sizeOf(view) > maxBytesOfPerson) return null;
      const id = random.bytes(idBytes).toString('base64url');
      use(id, view);
      dropSurplus(view);
      return id;
    },
  };
};
