import type { VisibleLabels } from '@redoubt/labels';
import { never } from './predicate.ts';

/** Up to this many ids a list is as fast as a bit string. */
const longestList = 300;

/**
 * The condition that a row's label is visible. It names what is visible, never what is hidden, so a label that nobody has
 * looked at yet is hidden: an array has 0 past its end.
 */
export function compileLabelFilter(visible: Pick<VisibleLabels, 'bits' | 'ids'>): string {
  if (visible.ids.length === 0) return never;
  if (visible.ids.length <= longestList) return `label_id IN (${visible.ids.join(',')})`;
  const bits = Buffer.from(visible.bits).toString('base64');
  return `bitTest(reinterpret(base64Decode('${bits}'), 'Array(UInt8)')[intDiv(label_id, 8) + 1], label_id % 8)`;
}
