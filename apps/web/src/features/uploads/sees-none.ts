import type { LabelVisibility, UploadPreview } from '@redoubt/contract';

/** Whether rows are stored and the person who imports them will see none of the first ones. */
export const seesNone = (
  { rows }: UploadPreview,
  visibility: ReadonlyMap<string, LabelVisibility> | undefined,
): boolean => {
  const stored = rows.flatMap(({ label }) => (label === null ? [] : [label]));
  return stored.length > 0 && stored.every((label) => visibility?.get(label)?.isVisible === false);
};
