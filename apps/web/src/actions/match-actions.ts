import type { Action } from './action.ts';

type Matchable = Pick<Action, 'title' | 'words'>;

const splitWords = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}?]+/u)
    .filter((word) => word !== '');

/**
 * The rank of an action for the typed text: 0 is best.
 * @returns undefined if a typed word is not in the action
 */
const rankOf = (
  { title, words = '' }: Matchable,
  typed: string,
  wanted: readonly string[],
): number | undefined => {
  const lower = title.toLowerCase();
  const all = `${lower} ${words.toLowerCase()}`;
  if (!wanted.every((word) => all.includes(word))) return undefined;
  if (lower.startsWith(typed)) return 0;
  const starts = splitWords(title);
  return wanted.every((word) => starts.some((start) => start.startsWith(word))) ? 1 : 2;
};

/**
 * The actions that contain all typed words. Those whose titles begin with the words come first; otherwise they keep
 * their order.
 */
export const matchActions = <A extends Matchable>(actions: readonly A[], text: string): readonly A[] => {
  const typed = text.trim().toLowerCase();
  const wanted = splitWords(typed);
  if (wanted.length === 0) return actions;
  return actions
    .flatMap((action) => {
      const rank = rankOf(action, typed, wanted);
      return rank === undefined ? [] : [{ action, rank }];
    })
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ action }) => action);
};
