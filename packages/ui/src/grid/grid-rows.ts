/** The values of a row by column, and the columns whose value is only its beginning. */
export interface GridCells {
  readonly cells: Readonly<Record<string, unknown>>;
  readonly cut: readonly string[];
}

/** A row of a grid: it may be on its way, or no longer be there. */
export type GridRowData = GridCells | 'gone' | 'loading';

/** Where a grid takes its rows from. Another object means that rows changed. */
export interface GridSource {
  readonly rowCount: number;
  row(index: number): GridRowData;
}

const none: readonly string[] = [];

/** The source of rows that are all at hand. */
export const sourceOfRows = (rows: readonly Readonly<Record<string, unknown>>[]): GridSource => {
  // A row must stay the same object, or it is drawn again.
  const made = new WeakMap<object, GridCells>();
  return {
    rowCount: rows.length,
    row: (index) => {
      const cells = rows[index];
      if (cells === undefined) return 'loading';
      const known = made.get(cells) ?? { cells, cut: none };
      made.set(cells, known);
      return known;
    },
  };
};
