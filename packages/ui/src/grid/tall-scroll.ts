/**
 * Browsers end an element at some 33,000,000 pixels (Firefox at 17,800,000), so a list of a million rows is taller than
 * its scroller can be. Its position is then `top + shift`: scrolling moves both by the same pixels, and a jump of the
 * scrollbar goes to the proportional place.
 */
export interface TallScroll {
  /** The scroll position of the element. */
  readonly top: number;
  /** How much further the list is scrolled. */
  readonly shift: number;
}

/** The sizes of a list and its visible part, in pixels. */
export interface TallList {
  readonly content: number;
  readonly view: number;
}

/** The height of the scrolled element at most. */
const maxSpacer = 8_000_000;
/** Near the first and last rows, the list and the element have the same distance from their end. */
const margin = 100_000;

export const spacerHeight = (content: number): number => Math.min(content, maxSpacer);

const clamp = (value: number, max: number): number => Math.max(0, Math.min(max, value));

const farthest = ({ content, view }: TallList): number => Math.max(0, content - view);
const farthestTop = ({ content, view }: TallList): number => Math.max(0, spacerHeight(content) - view);

/** The factor between the list and the element in the middle part of both. */
const stretch = (list: TallList): number =>
  (farthest(list) - 2 * margin) / Math.max(1, farthestTop(list) - 2 * margin);

/** The state in which the list shows this position. */
export const scrollToPosition = (position: number, list: TallList): TallScroll => {
  const last = farthest(list);
  const exact = clamp(position, last);
  if (list.content <= maxSpacer) return { top: exact, shift: 0 };
  if (exact <= margin) return { top: exact, shift: 0 };
  const room = farthestTop(list);
  if (exact >= last - margin) return { top: room - (last - exact), shift: last - room };
  const top = Math.round(margin + (exact - margin) / stretch(list));
  return { top, shift: exact - top };
};

/** The position that the place of the scrollbar stands for. */
const positionOfTop = (top: number, list: TallList): number => {
  const room = farthestTop(list);
  if (top <= margin) return top;
  if (top >= room - margin) return farthest(list) - (room - top);
  return margin + (top - margin) * stretch(list);
};

/**
 * The state after the element was scrolled. If its `top` differs from the given one, set it on the element.
 * @param top the scroll position of the element now
 */
export const afterScroll = (before: TallScroll, top: number, list: TallList): TallScroll => {
  if (list.content <= maxSpacer) return { top, shift: 0 };
  // Nobody scrolls so far in one step but by dragging the scrollbar.
  const isJump = Math.abs(top - before.top) > 3 * list.view;
  if (isJump) return scrollToPosition(positionOfTop(top, list), list);
  const isNearEnd = top < margin / 2 || top > farthestTop(list) - margin / 2;
  const position = top + before.shift;
  return isNearEnd ? scrollToPosition(position, list) : { top, shift: before.shift };
};
