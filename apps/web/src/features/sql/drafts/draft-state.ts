import type { Draft } from './draft-store.ts';

/** Whether a draft has something that no saved query has. */
export const isChanged = ({ saved, text }: Draft): boolean =>
  saved === undefined ? text.trim() !== '' : saved.text !== text;

/** In words, whether a draft is saved. */
export const describeState = (draft: Draft): string => {
  if (draft.saved === undefined) return 'Draft, kept in this browser';
  return isChanged(draft) ? 'Saved, with changes that are not' : 'Saved';
};
