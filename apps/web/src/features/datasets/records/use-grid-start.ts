import type { GridHandle } from '@redoubt/ui';
import { useEffect, useRef, type RefObject } from 'react';
import type { RowPages } from './row-pages.ts';

interface GridStart {
  pages: RowPages;
  /** Whether the first rows of the query are on their way. */
  isWaiting: boolean;
  /** Whether the grid has rows. */
  isReady: boolean;
  /** The row that the address names. */
  row: number | undefined;
}

/** Shows the row of a link when the grid is there, and the first row when another query is. */
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
