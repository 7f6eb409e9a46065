import type { Draft } from './draft-store.ts';

/** Whether a draft contains changes that are not saved as a query. */
export const isChanged = ({ saved, text }: Draft): boolean =>
  saved === undefined ? text.trim() !== '' : saved.text !== text;

/** Says in words whether a draft is saved. */
export const describeState = (draft: Draft): string => {
  if (draft.saved === undefined) return 'Draft, kept in this browser';
  return isChanged(draft) ? 'Saved, with changes that are not' : 'Saved';
};
