import {
  findNewlyHidden,
  includesLabels,
  touchesPath,
  type SortedPaths,
  type VisibleLabels,
} from '@redoubt/labels';
import type { RecordStore } from '@redoubt/records';

/** What a reader has seen of a dataset, as far as it is needed to tell whether they may still see all of it. */
export interface SeenVisibility {
  datasetId: string;
  ids: VisibleLabels['ids'];
  hidden: VisibleLabels['hidden'];
  /** The codes of the fields of the records with these labels. */
  codes: ReadonlySet<number>;
  /** Lists the paths in the response, if its records were read without the codes. */
  shown?: (() => SortedPaths) | undefined;
}

export type SeenStore = Pick<RecordStore, 'fieldCodes' | 'pathsOfCodes'>;

/** Captures what a reader sees. Call it before records are read. */
export const captureVisibility = async (
  store: Pick<SeenStore, 'fieldCodes'>,
  datasetId: string,
  visible: VisibleLabels,
): Promise<SeenVisibility> => {
  const { ids, hidden } = visible;
  return { datasetId, ids, hidden, codes: await store.fieldCodes(datasetId, visible) };
};

/** Adds what the reader sees now. A long response can contain records that were stored after it began. */
export const extendSeen = async (
  store: Pick<SeenStore, 'fieldCodes'>,
  seen: SeenVisibility,
  now: VisibleLabels,
): Promise<SeenVisibility> => {
  const codes = await store.fieldCodes(seen.datasetId, now);
  return codes === seen.codes ? seen : { ...seen, codes: new Set([...seen.codes, ...codes]) };
};

/**
 * Whether a reader may still see what they saw. A column that was hidden since counts if a record that they see or saw
 * has it, a column around it or one inside it. Other columns must not count: a label on a column that only hidden
 * records have would end responses, and so disclose that the column exists.
 */
export const stillSees = async (
  store: SeenStore,
  seen: SeenVisibility,
  now: VisibleLabels,
): Promise<boolean> => {
  if (!includesLabels(now, seen)) return false;
  const added = findNewlyHidden(now, seen);
  if (added.length === 0) return true;
  const { codes } = await extendSeen(store, seen, now);
  const lists = [await store.pathsOfCodes(seen.datasetId, codes, seen.hidden), seen.shown?.() ?? []];
  return !added.some((path) => lists.some((paths) => touchesPath(paths, path)));
};
