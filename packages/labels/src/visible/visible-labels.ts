import { isHiddenPath } from '../columns/hidden-columns.ts';

/**
 * The labels of a dataset that a reader satisfies. It is shared by all readers with the same attributes and does not
 * change when labels are added: ask again. Nobody writes into `ids` and `bits`.
 */
export interface VisibleLabels {
  /** How many labels the dataset had when this was made: the ids 0 to version - 1 were looked at. */
  readonly version: number;
  /** How many labels are visible. */
  readonly size: number;
  /** The visible ids, ascending. */
  readonly ids: Uint32Array;
  /** The same as a bit string, lowest bit first: label `id` is bit `id & 7` of byte `id >> 3`. */
  readonly bits: Uint8Array;
  /** Whether the label is visible; false for every id that was not looked at. */
  has(id: number): boolean;
  /**
   * The columns of the dataset that the reader does not see, by path and sorted; none of them is inside another. Whoever
   * reads records for the reader leaves them out, with all that is inside them.
   */
  readonly hidden: readonly string[];
}

const noColumns: readonly string[] = [];

function visibleLabels(version: number, ids: Uint32Array, bits: Uint8Array): VisibleLabels {
  const bytes = new DataView(bits.buffer);
  return {
    version,
    size: ids.length,
    ids,
    bits,
    hidden: noColumns,
    has(id) {
      // Bit operations would take 0.5 for 0 and 2 ** 32 for 0.
      if (!Number.isInteger(id) || id < 0 || id >= version) return false;
      return (bytes.getUint8(id >> 3) & (1 << (id & 7))) !== 0;
    },
  };
}

/** The visible labels of a dataset without labels. */
export const noVisibleLabels: VisibleLabels = visibleLabels(0, new Uint32Array(0), new Uint8Array(0));

/** What was visible among the first labels, with those up to `version` added for which `isVisible` says so. */
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

/** One answer for equal columns, so that what is kept for it by others is found again. */
const narrowed = new WeakMap<VisibleLabels, Map<string, VisibleLabels>>();
const mostNarrowed = 16;

/** The same labels for a reader who does not see these columns. */
export function hideColumns(visible: VisibleLabels, hidden: readonly string[]): VisibleLabels {
  if (hidden.length === 0) return visible;
  let known = narrowed.get(visible);
  if (known === undefined || known.size >= mostNarrowed) narrowed.set(visible, (known = new Map()));
  const key = JSON.stringify(hidden);
  let answer = known.get(key);
  if (answer === undefined) known.set(key, (answer = { ...visible, hidden }));
  return answer;
}

/** The labels below a number alone: those above were not known when it was looked up what the reader sees. */
export function limitToKnownLabels(visible: VisibleLabels, count: number): VisibleLabels {
  if (visible.version <= count) return visible;
  return extendVisibleLabels(noVisibleLabels, count, (id) => visible.has(id));
}

/** Whether a reader sees now all that they saw before. */
export const includesVisibility = (now: VisibleLabels, before: VisibleLabels): boolean =>
  before.ids.every((id) => now.has(id)) && now.hidden.every((path) => isHiddenPath(before.hidden, path));
