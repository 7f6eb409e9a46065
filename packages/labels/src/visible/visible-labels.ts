import { isHiddenPath, requireSortedPaths, type SortedPaths } from '../columns/hidden-columns.ts';

/**
 * A snapshot of the labels of a dataset that a reader satisfies. Readers with the same attributes share it, so nobody
 * may write into `ids` and `bits`. It does not change when labels are added; get a new one instead.
 */
export interface VisibleLabels {
  /** The number of labels that the snapshot covers: the ids from 0 to version - 1. */
  readonly version: number;
  /** The number of visible labels. */
  readonly size: number;
  /** The visible ids, ascending. */
  readonly ids: Uint32Array;
  /** The visible ids as a bit string, lowest bit first: label `id` is bit `id & 7` of byte `id >> 3`. */
  readonly bits: Uint8Array;
  /** Whether the label is visible. False for ids that the snapshot does not cover. */
  has(id: number): boolean;
  /**
   * The paths of the columns that are hidden from the reader, sorted, none inside another. Code that reads records for
   * the reader must leave these columns out, with everything inside them.
   */
  readonly hidden: SortedPaths;
}

const noColumns: SortedPaths = [];

function visibleLabels(version: number, ids: Uint32Array, bits: Uint8Array): VisibleLabels {
  const bytes = new DataView(bits.buffer);
  return {
    version,
    size: ids.length,
    ids,
    bits,
    hidden: noColumns,
    has(id) {
      // Bit operations would convert 0.5 and 2 ** 32 to 0.
      if (!Number.isInteger(id) || id < 0 || id >= version) return false;
      return (bytes.getUint8(id >> 3) & (1 << (id & 7))) !== 0;
    },
  };
}

/** The visible labels of a dataset without labels. */
export const noVisibleLabels: VisibleLabels = visibleLabels(0, new Uint32Array(0), new Uint8Array(0));

/** Extends a snapshot to the labels below `version`. `isVisible` decides about each label that is new. */
export function extendVisibleLabels(
  before: VisibleLabels,
  version: number,
  isVisible: (id: number) => boolean,
): VisibleLabels {
  const ids = new Uint32Array(before.size + version - before.version);
  const bits = new Uint8Array(Math.ceil(version / 8));
  ids.set(before.ids);
  bits.set(before.bits);
  const bytes = new DataView(bits.buffer);
  let { size } = before;
  for (let id = before.version; id < version; id += 1) {
    if (!isVisible(id)) continue;
    ids[size] = id;
    size += 1;
    bytes.setUint8(id >> 3, bytes.getUint8(id >> 3) | (1 << (id & 7)));
  }
  return visibleLabels(version, ids.slice(0, size), bits);
}

/**
 * The results of `hideColumns`. Equal columns give the same object, so that other caches can use the object as a key.
 */
const restricted = new WeakMap<VisibleLabels, RestrictedLabels>();
const maxRestricted = 16;

interface RestrictedLabels {
  byText: Map<string, VisibleLabels>;
  /** Lists that were looked up before, whose text may have megabytes. */
  byList: WeakMap<SortedPaths, VisibleLabels>;
}

/** Returns the same visible labels for a reader from whom these columns are hidden. */
export function hideColumns(visible: VisibleLabels, hidden: SortedPaths): VisibleLabels {
  if (hidden.length === 0 && visible.hidden.length === 0) return visible;
  let known = restricted.get(visible);
  if (known === undefined || known.byText.size >= maxRestricted)
    restricted.set(visible, (known = { byText: new Map(), byList: new WeakMap() }));
  const same = known.byList.get(hidden);
  if (same !== undefined) return same;
  requireSortedPaths(hidden);
  const text = JSON.stringify(hidden);
  let result = known.byText.get(text);
  if (result === undefined) known.byText.set(text, (result = { ...visible, hidden }));
  known.byList.set(hidden, result);
  return result;
}

/** Restricts a snapshot to the labels with ids below `count`, so that it agrees with an older list of labels. */
export function limitToKnownLabels(visible: VisibleLabels, count: number): VisibleLabels {
  if (visible.version <= count) return visible;
  return extendVisibleLabels(noVisibleLabels, count, (id) => visible.has(id));
}

/** Whether all labels that were visible in the snapshot `before` are still visible in `now`. */
export const includesLabels = (now: VisibleLabels, before: Pick<VisibleLabels, 'ids'>): boolean =>
  before.ids.every((id) => now.has(id));

/** Returns the columns that are hidden in `now` and were not in the snapshot `before`. */
export const findNewlyHidden = (
  now: Pick<VisibleLabels, 'hidden'>,
  before: Pick<VisibleLabels, 'hidden'>,
): SortedPaths =>
  now.hidden === before.hidden ? noColumns : now.hidden.filter((path) => !isHiddenPath(before.hidden, path));
