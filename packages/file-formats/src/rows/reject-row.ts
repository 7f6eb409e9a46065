import type { RejectedRow } from '../file-format.ts';
import { maxRejectLength } from '../file-limits.ts';

/** Creates a rejected row. Its text is cut at the limit, but never inside a character. */
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
