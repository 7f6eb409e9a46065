import type { VisibleLabels } from '@redoubt/labels';
import { falseLiteral } from './predicate.ts';

/** The rows that the predicate runs on: all rows of a dataset, or only those that an index lookup found. */
export type LabelPredicateScope = 'all' | 'found';

/** Up to this many ids are printed as numbers. More are printed as base64, which the engine parses faster. */
const maxPrintedIds = 100;
/**
 * Up to this many ids are a list. On a million rows a list saves 2 ms, but with 16,000 ids it costs as much to plan.
 */
const maxListLength = 16_384;
/** Ids below this number fit into 16 bits. `least` maps all larger ids to it, so no list of visible ids contains it. */
const firstWideId = 65_535;
/**
 * The largest 32-bit number, so `least(label_id, maxId)` has the value of `label_id`. The call prevents the engine from
 * skipping parts of the table without visible labels: response times would disclose where hidden records are stored.
 */
const maxId = 4_294_967_295;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/**
 * Prints a list of 16-bit ids: the engine checks them in a lookup table, three times as fast as a set of wider numbers.
 */
function printIdList(ids: Uint32Array): string {
  if (ids.length <= maxPrintedIds) return ids.join(',');
  // The engine runs on this machine's architecture, so the byte order is the same.
  const bytes = new Uint8Array(Uint16Array.from(ids).buffer);
  return `reinterpret(base64Decode('${base64(bytes)}'), 'Array(UInt16)')`;
}

/**
 * Prints the bits up to the id `last`, as 64-bit words. Larger words mean fewer array elements for the engine to plan.
 */
function printBits(last: number, bits: Uint8Array): string {
  const words = Buffer.alloc(((last >> 6) + 1) * 8);
  words.set(bits.subarray(0, (last >> 3) + 1));
  return `reinterpret(base64Decode('${base64(words)}'), 'Array(UInt64)')`;
}

/**
 * Compiles the label predicate, which is true if the label of a row is visible. It lists visible labels and never
 * hidden ones, so rows whose label is newer than the snapshot are hidden. A list is fastest on a million rows, but the
 * engine needs a millisecond or more to build its lookup table. A bit string needs no setup, but its size grows with
 * the last id.
 */
export function compileLabelPredicate(
  { bits, ids }: Pick<VisibleLabels, 'bits' | 'ids'>,
  scope: LabelPredicateScope = 'all',
): string {
  // Ids are in ascending order.
  const last = ids.at(-1);
  if (last === undefined) return falseLiteral;
  const isShort = ids.length <= maxPrintedIds;
  const isListed = isShort || (scope === 'all' && ids.length <= maxListLength);
  if (isListed && last < firstWideId)
    return `toUInt16(least(label_id, ${firstWideId})) IN (${printIdList(ids)})`;
  if (isShort) return `least(label_id, ${maxId}) IN (${ids.join(',')})`;
  return `bitTest(${printBits(last, bits)}[intDiv(label_id, 64) + 1], label_id % 64)`;
}
