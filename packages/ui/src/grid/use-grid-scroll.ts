import { useCallback, useLayoutEffect, useRef, useState, useSyncExternalStore, type RefObject } from 'react';
import { offsetToShow } from './grid-window.ts';
import { afterScroll, scrollToPosition, type TallScroll } from './tall-scroll.ts';

/** The visible part of a grid: its scroll position and its size, in pixels. */
export interface GridView {
  readonly scroll: TallScroll;
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

interface GridScroll {
  get(): GridView;
  subscribe(listener: () => void): () => void;
  set(view: GridView): void;
}

/**
 * Holds the view in an external store, because React renders its changes before the next frame. Changes of a state may
 * be rendered later, and rows would be blank meanwhile.
 */
const createGridScroll = (): GridScroll => {
  let view: GridView = { scroll: { top: 0, shift: 0 }, left: 0, width: 800, height: 400 };
  const listeners = new Set<() => void>();
  return {
    get: () => view,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    set: (next) => {
      view = next;
      for (const listener of listeners) listener();
    },
  };
};

export interface UsedGridScroll {
  ref: RefObject<HTMLDivElement | null>;
  view: GridView;
  measure: () => void;
  /** Scrolls as little as possible to make the row visible. */
  showRow: (row: number) => void;
  /** Scrolls sideways to make these pixels visible beside the pinned columns. */
  showColumn: (left: number, width: number, pinnedWidth: number) => void;
}

/**
 * Tracks the scroll position and size of a grid whose list may be taller than an element can be (see `TallScroll`).
 * @param rowHeight in pixels
 * @param headerHeight in pixels
 */
export const useGridScroll = (rows: number, rowHeight: number, headerHeight: number): UsedGridScroll => {
  const ref = useRef<HTMLDivElement>(null);
  const [store] = useState(createGridScroll);
  const view = useSyncExternalStore(store.subscribe, store.get);
  const content = rows * rowHeight;

  const listOf = useCallback(
    (element: HTMLElement) => ({ content, view: Math.max(1, element.clientHeight - headerHeight) }),
    [content, headerHeight],
  );

  const measure = useCallback(() => {
    const element = ref.current;
    if (element === null) return;
    const { scrollTop, scrollLeft: left, clientWidth: width, clientHeight: height } = element;
    const before = store.get();
    let scroll = afterScroll(before.scroll, scrollTop, listOf(element));
    if (scroll.top !== scrollTop) {
      element.scrollTop = scroll.top;
      // Browsers round `scrollTop`: the shift makes up for the difference.
      scroll = { top: element.scrollTop, shift: scroll.top + scroll.shift - element.scrollTop };
    }
    const isSame =
      scroll.top === before.scroll.top &&
      scroll.shift === before.scroll.shift &&
      left === before.left &&
      width === before.width &&
      height === before.height;
    if (!isSame) store.set({ scroll, left, width, height });
  }, [store, listOf]);

  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [measure]);

  const showRow = (row: number): void => {
    const element = ref.current;
    if (element === null) return;
    const before = store.get();
    const list = listOf(element);
    const position = before.scroll.top + before.scroll.shift;
    const wanted = offsetToShow(row, position, list.view, rowHeight);
    if (wanted === position) return;
    const isNear = Math.abs(wanted - position) <= 3 * list.view;
    const { scroll: old } = before;
    const scroll = isNear
      ? afterScroll(old, old.top + wanted - position, list)
      : scrollToPosition(wanted, list);
    element.scrollTop = scroll.top;
    const top = element.scrollTop;
    store.set({ ...before, scroll: { top, shift: scroll.top + scroll.shift - top } });
  };

  const showColumn = (left: number, width: number, pinnedWidth: number): void => {
    const element = ref.current;
    if (element === null) return;
    if (left < element.scrollLeft + pinnedWidth) element.scrollLeft = left - pinnedWidth;
    else if (left + width > element.scrollLeft + element.clientWidth)
      element.scrollLeft = left + width - element.clientWidth;
  };

  return { ref, view, measure, showRow, showColumn };
};
