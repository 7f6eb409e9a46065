/** A range of a text, in UTF-16 code units. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** The values of a row by column, and the names of columns whose value is truncated. */
export interface GridCells {
  readonly cells: Readonly<Record<string, unknown>>;
  readonly cut: readonly string[];
  /** The ranges of the text of each column that a search matched, in order. */
  readonly marks?: Readonly<Record<string, readonly TextRange[]>> | undefined;
}

/** A row of a grid. It may still be loading, or no longer exist. */
export type GridRowData = GridCells | 'gone' | 'loading';

/** The source of the rows of a grid. Pass a new object when rows have changed, so that the grid renders them again. */
export interface GridSource {
  readonly rowCount: number;
  row(index: number): GridRowData;
}

const none: readonly string[] = [];

/** Creates a source from rows that are all loaded. */
export const sourceOfRows = (rows: readonly Readonly<Record<string, unknown>>[]): GridSource => {
  // A row must stay the same object, because the grid renders a new object again.
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
