/** A column of a grid. Its name is the key of its values in each row. */
export interface GridColumn {
  readonly name: string;
  /** A PostgreSQL type, shown after the name. */
  readonly type?: string | undefined;
  /** In pixels. */
  readonly width?: number | undefined;
  /** Whether the column stays in view at the left. Pinned columns come first. */
  readonly isPinned?: boolean | undefined;
}

/** The width in pixels of a column that sets none. */
export const defaultColumnWidth = 180;
/** The narrowest that a person can make a column, in pixels. */
export const minColumnWidth = 64;
/** The widest that a person can make a column, in pixels. */
export const maxColumnWidth = 800;

const numericTypes = new Set(['smallint', 'integer', 'bigint', 'numeric', 'double precision']);

/** Whether values of the column are aligned to the right, as numbers are. */
export const isNumeric = ({ type }: GridColumn): boolean => type !== undefined && numericTypes.has(type);

/** The columns of a schema, in its order. */
export const toGridColumns = (schema: Readonly<Record<string, { type: string }>>): GridColumn[] =>
  Object.entries(schema).map(([name, { type }]) => ({ name, type }));

/** A column with its position in the grid, in pixels from the left. */
export interface PlacedColumn extends GridColumn {
  readonly index: number;
  readonly left: number;
  readonly width: number;
}

/** Computes the positions of columns, side by side. */
export const placeColumns = (columns: readonly GridColumn[]): PlacedColumn[] => {
  let left = 0;
  return columns.map((column, index) => {
    const width = column.width ?? defaultColumnWidth;
    const placed = { ...column, index, left, width };
    left += width;
    return placed;
  });
};

/**
 * The columns to draw: the pinned ones, and the visible ones of the rest with `overscan` more on either side.
 * @param left how far the grid is scrolled sideways, in pixels
 * @param view the width of the visible part, in pixels
 */
export const columnsInView = (
  columns: readonly PlacedColumn[],
  left: number,
  view: number,
  overscan: number,
): { pinned: readonly PlacedColumn[]; scrolled: readonly PlacedColumn[] } => {
  const pinned = columns.filter(({ isPinned }) => isPinned === true);
  const rest = columns.slice(pinned.length);
  const pinnedWidth = pinned.reduce((sum, { width }) => sum + width, 0);
  const first = rest.findIndex((column) => column.left + column.width > left + pinnedWidth);
  if (first === -1) return { pinned, scrolled: [] };
  const beyond = rest.findIndex((column) => column.left >= left + view);
  const end = beyond === -1 ? rest.length : beyond;
  return { pinned, scrolled: rest.slice(Math.max(0, first - overscan), end + overscan) };
};
