import type { Action } from './action.ts';

type Matchable = Pick<Action, 'title' | 'words'>;

const splitWords = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}?]+/u)
    .filter((word) => word !== '');

/** How well an action fits what was typed: 0 is best; undefined when a typed word is not in it. */
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

/** The actions that hold all typed words, those whose titles begin with them first; otherwise in their order. */
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
