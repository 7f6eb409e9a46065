import type { RejectedRow } from '../file-format.ts';
import { maxRejectLength } from '../file-limits.ts';

/** A rejected row. Its text is cut, and has no halves of characters. */
export const rejectRow = (
  line: number,
  offset: number,
  reason: string,
  text: string,
  fields?: string,
): RejectedRow => ({
  kind: 'reject',
  line,
  offset,
  reason,
  text: text.slice(0, maxRejectLength).toWellFormed(),
  ...(fields === undefined ? {} : { fields }),
});
