/**
 * The breakpoints of the layout: window widths in CSS pixels. Style sheets name them in media queries, such as `@media
 * (--from-md)` and `@media (--below-md)`. The build inserts the numbers.
 */
export const breakpoints = { xs: 0, sm: 600, md: 900, lg: 1200, xl: 1536 } as const;

/** Wider windows have the desktop layout: a sidebar and a table of contents beside the page. */
export const desktopAbove = 996;
