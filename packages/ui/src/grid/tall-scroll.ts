/**
 * The scroll position of a list that may be taller than an element can be: browsers limit the height of an element to
 * about 33,000,000 pixels (Firefox to 17,800,000), which a million rows exceed. The position in the list is
 * `top + shift`. Scrolling a little moves the element and the list by the same pixels; dragging the scrollbar moves the
 * list to the proportional position.
 */
export interface TallScroll {
  /** The scroll position of the element. */
  readonly top: number;
  /** How many pixels further the list is scrolled than the element. */
  readonly shift: number;
}

/** The sizes of a list and its visible part, in pixels. */
export interface TallList {
  readonly content: number;
  readonly view: number;
}

/** The maximum height of the element that is scrolled, in pixels. It is below the limits of all browsers. */
const maxSpacer = 8_000_000;
/**
 * Within this many pixels of the first or last row, list and element have the same distance from that end. The ends can
 * therefore be reached exactly.
 */
const margin = 100_000;

export const spacerHeight = (content: number): number => Math.min(content, maxSpacer);

const clamp = (value: number, max: number): number => Math.max(0, Math.min(max, value));

const farthest = ({ content, view }: TallList): number => Math.max(0, content - view);
const farthestTop = ({ content, view }: TallList): number => Math.max(0, spacerHeight(content) - view);

/** How many pixels of the list a pixel of the element stands for, between the two margins. */
const stretch = (list: TallList): number =>
  (farthest(list) - 2 * margin) / Math.max(1, farthestTop(list) - 2 * margin);

/** The scroll position that shows this position of the list. */
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

/** The position in the list that corresponds to this position of the scrollbar. */
const positionOfTop = (top: number, list: TallList): number => {
  const room = farthestTop(list);
  if (top <= margin) return top;
  if (top >= room - margin) return farthest(list) - (room - top);
  return margin + (top - margin) * stretch(list);
};

/**
 * The scroll position after the element was scrolled. If its `top` differs from the given one, set `scrollTop` to it.
 * @param top the `scrollTop` of the element now
 */
export const afterScroll = (before: TallScroll, top: number, list: TallList): TallScroll => {
  if (list.content <= maxSpacer) return { top, shift: 0 };
  // Only dragging the scrollbar scrolls so far in one step.
  const isJump = Math.abs(top - before.top) > 3 * list.view;
  if (isJump) return scrollToPosition(positionOfTop(top, list), list);
  const isNearEnd = top < margin / 2 || top > farthestTop(list) - margin / 2;
  const position = top + before.shift;
  return isNearEnd ? scrollToPosition(position, list) : { top, shift: before.shift };
};
