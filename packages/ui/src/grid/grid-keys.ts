/** The position of a cell. Row -1 is the header. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

interface GridSize {
  /** How many rows Page Up and Page Down move by. */
  readonly page: number;
  readonly lastRow: number;
  readonly lastColumn: number;
  /** Whether keys can move to the header. */
  readonly hasHeader: boolean;
}

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/**
 * The cell that a key moves to. With Ctrl, an arrow key moves to the edge.
 * @returns undefined for a key that does not move the active cell
 */
export const moveByKey = (
  { key, ctrlKey, metaKey }: KeyPress,
  from: CellPlace,
  { page, lastRow, lastColumn, hasHeader }: GridSize,
): CellPlace | undefined => {
  const isFar = ctrlKey || metaKey;
  const firstRow = hasHeader ? -1 : 0;
  const at = (row: number, column: number): CellPlace => ({
    row: clamp(row, firstRow, lastRow),
    column: clamp(column, 0, lastColumn),
  });
  switch (key) {
    case 'ArrowUp':
      return at(isFar ? 0 : from.row - 1, from.column);
    case 'ArrowDown':
      return at(isFar ? lastRow : from.row + 1, from.column);
    case 'ArrowLeft':
      return at(from.row, isFar ? 0 : from.column - 1);
    case 'ArrowRight':
      return at(from.row, isFar ? lastColumn : from.column + 1);
    case 'PageUp':
      return at(Math.max(0, from.row - page), from.column);
    case 'PageDown':
      return at(from.row + page, from.column);
    case 'Home':
      return isFar ? at(0, 0) : at(from.row, 0);
    case 'End':
      return isFar ? at(lastRow, lastColumn) : at(from.row, lastColumn);
    default:
      return undefined;
  }
};

/** A rectangle of cells, including its first and last row and column. */
export interface CellRange {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
}

/** The rectangle between two cells, which may be given in any order. */
export const rangeBetween = (one: CellPlace, other: CellPlace): CellRange => ({
  firstRow: Math.max(0, Math.min(one.row, other.row)),
  lastRow: Math.max(0, Math.max(one.row, other.row)),
  firstColumn: Math.min(one.column, other.column),
  lastColumn: Math.max(one.column, other.column),
});

/** The number of cells in a range. */
export const countCells = ({ firstRow, lastRow, firstColumn, lastColumn }: CellRange): number =>
  (lastRow - firstRow + 1) * (lastColumn - firstColumn + 1);
