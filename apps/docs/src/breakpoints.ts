/**
 * Widths of the window in CSS pixels from which a layout holds. Style sheets name them in media queries, such as
 * `@media (--from-md)` and `@media (--below-md)`; the build puts the numbers in.
 */
export const breakpoints = { xs: 0, sm: 600, md: 900, lg: 1200, xl: 1536 } as const;

/** Windows wider than this have the chrome of a desktop: sidebar and contents beside the page. */
export const desktopAbove = 996;
