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
  /** Finds a view of this owner, dataset and query, if its reader may still see everything that they could see then. */
  find(id: string, wanted: Pick<View, 'datasetId' | 'owner' | 'query' | 'visible'>): View | undefined;
  /** Keeps a view and returns its id, which cannot be guessed; null if the view alone exceeds the limit of a person. */
  keep(view: View): string | null;
}

/** Maximum number of views of one session or key; a further one replaces the oldest. */
const maxViewsOfOwner = 4;
/** Bytes that a view costs beyond its ids. */
const bytesOfView = 4096;
/** Maximum number of bytes of all views of one person: a single view of `maxViewRecords` records always fits. */
const maxBytesOfPerson = maxViewRecords * packedIdBytes + bytesOfView;
const idBytes = 18;

const sizeOf = ({ ids }: View): number => ids.length + bytesOfView;

/**
 * Keeps views in memory. A view is only an order of ids: each page reads the records again, with the present rights. A
 * view is dropped only for other views of the same person. A limit for all people together would disclose how much
 * others read, and what they read depends on records that this person may not see.
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
