import type { GridHandle } from '@redoubt/ui';
import { useEffect, useRef, type RefObject } from 'react';
import type { RowPages } from './row-pages.ts';

interface GridStart {
  pages: RowPages;
  /** Whether the first rows of the query are being loaded. */
  isWaiting: boolean;
  /** Whether the grid has rows. */
  isReady: boolean;
  /** The row that the address names. */
  row: number | undefined;
}

/** Scrolls to the row in the address when the grid has rows, and to the first row when the query has changed. */
export const useGridStart = (
  grid: RefObject<GridHandle | null>,
  { pages, isWaiting, isReady, row }: GridStart,
): void => {
  const linkedRow = useRef(row);
  useEffect(() => {
    if (!isReady) return;
    if (linkedRow.current !== undefined) grid.current?.showRow(linkedRow.current);
    linkedRow.current = undefined;
  }, [grid, isReady]);

  const shownPages = useRef(pages);
  useEffect(() => {
    if (isWaiting || shownPages.current === pages) return;
    shownPages.current = pages;
    grid.current?.showStart();
  }, [grid, pages, isWaiting]);
};
