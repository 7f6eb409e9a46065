/** The part of a long list that is drawn. */
export interface GridWindow {
  readonly first: number;
  /** One past the last. */
  readonly end: number;
}

/**
 * The rows (or columns) to draw: the visible ones and some on either side, so that scrolling a little shows no gap.
 * @param offset how far the list is scrolled, in pixels
 * @param view the size of the visible part, in pixels
 * @param size the size of one row, in pixels
 */
export const gridWindow = (
  offset: number,
  view: number,
  size: number,
  count: number,
  overscan: number,
): GridWindow => {
  const first = Math.max(0, Math.min(count, Math.floor(offset / size) - overscan));
  const end = Math.max(first, Math.min(count, Math.ceil((offset + view) / size) + overscan));
  return { first, end };
};

/** The scroll offset that brings a row into view with the least movement. */
export const offsetToShow = (index: number, offset: number, view: number, size: number): number => {
  if (index * size < offset) return index * size;
  return (index + 1) * size > offset + view ? (index + 1) * size - view : offset;
};
