import type { VisibleLabels } from '@redoubt/labels';
import { falseLiteral } from './predicate.ts';

/** How many rows the condition is tried with: all of a dataset, or those alone that an index has found. */
export type LabelFilterScope = 'all' | 'found';

/** Up to this many ids are written one by one; more are bytes, which take no time to parse. */
const longestWritten = 100;
/** Up to this many ids are a list: of 1,000,000 rows it takes 2 ms less than bits, and to plan as much more with 16,000 ids. */
const longestList = 16_384;
/** Ids below this fit into 16 bits. It stands for itself and all above, so it is in no list. */
const firstWide = 65_535;
/**
 * The largest number of 32 bits, so the least of a number and this is the number. The engine is not told so: by a condition on
 * the column itself it may leave out parts that hold no such label, and how long it takes would depend on where hidden records lie.
 */
const largest = 4_294_967_295;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Numbers of 16 bits, of which the engine keeps a table with an entry for each: three times as fast as a set of larger ones. */
function listOf(ids: Uint32Array): string {
  if (ids.length <= longestWritten) return ids.join(',');
  // In the order of bytes of this machine, which is the engine's too.
  const bytes = new Uint8Array(Uint16Array.from(ids).buffer);
  return `reinterpret(base64Decode('${base64(bytes)}'), 'Array(UInt16)')`;
}

/**
 * Bits by number, up to the last: read as words of 64 bits, since the engine handles a constant array element by element in each step of
 * planning.
 */
function bitsUpTo(last: number, bits: Uint8Array): string {
  const words = Buffer.alloc(((last >> 6) + 1) * 8);
  words.set(bits.subarray(0, (last >> 3) + 1));
  return `reinterpret(base64Decode('${base64(words)}'), 'Array(UInt64)')`;
}

/**
 * The condition that a row's label is visible. It names what is visible, never what is hidden, so a label that nobody has
 * looked at yet is hidden: it is in no list, and an array has 0 past its end. A list is the fastest for a million rows,
 * but the engine takes a millisecond to make its table and longer for a long one; bits are there at once, and as long as their last id is large.
 */
export function compileLabelFilter(
  { bits, ids }: Pick<VisibleLabels, 'bits' | 'ids'>,
  tried: LabelFilterScope = 'all',
): string {
  // They ascend.
  const last = ids.at(-1);
  if (last === undefined) return falseLiteral;
  const isShort = ids.length <= longestWritten;
  const isListed = isShort || (tried === 'all' && ids.length <= longestList);
  if (isListed && last < firstWide) return `toUInt16(least(label_id, ${firstWide})) IN (${listOf(ids)})`;
  if (isShort) return `least(label_id, ${largest}) IN (${ids.join(',')})`;
  return `bitTest(${bitsUpTo(last, bits)}[intDiv(label_id, 64) + 1], label_id % 64)`;
}
