import { useEffect, useRef } from 'react';
import type { Action } from './action.ts';

type PageAction = Omit<Action, 'group'>;

const sources = new Set<() => readonly PageAction[]>();

/** The actions that the components of the open page offer. */
export const currentPageActions = (): readonly Action[] =>
  [...sources].flatMap((source) => source()).map((action) => ({ ...action, group: 'page' }));

/** Offers actions while the component is mounted: in the palette, by their shortcuts and in the list of shortcuts. */
export const usePageActions = (actions: readonly PageAction[]): void => {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const source = (): readonly PageAction[] => latest.current;
    sources.add(source);
    return () => void sources.delete(source);
  }, []);
};
