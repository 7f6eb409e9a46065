import { memo, type ReactElement } from 'react';
import { CellText } from './CellText.tsx';
import { isNumeric, type PlacedColumn } from '../columns/index.ts';
import type { GridRowData } from './grid-rows.ts';

interface GridRowProps {
  index: number;
  top: number;
  height: number;
  data: GridRowData;
  pinned: readonly PlacedColumn[];
  scrolled: readonly PlacedColumn[];
  pinnedWidth: number;
  /** The active column, if the active cell is in this row. */
  active: number | undefined;
  /** The first and last selected column of this row, if any. */
  firstSelected: number | undefined;
  lastSelected: number | undefined;
  isOpen: boolean;
  /** The id of the grid, which is the prefix of the ids of its cells. */
  gridId: string;
}

export const cellIdOf = (gridId: string, row: number, column: number): string =>
  `${gridId}-${String(row)}-${String(column)}`;

const waiting = <span className="grid-waiting" aria-label="loading" role="img" />;

const contentOf = (data: GridRowData, name: string): ReactElement => {
  if (data === 'loading') return waiting;
  if (data === 'gone') return <em className="cell-null">gone</em>;
  return <CellText value={data.cells[name]} marks={data.marks?.[name]} />;
};

/** A row of the grid. It is memoized, because a grid renders whenever it is scrolled. */
export const GridRow = memo((props: GridRowProps): ReactElement => {
  const { index, top, height, data, pinned, scrolled, pinnedWidth, active, gridId, isOpen } = props;
  const { firstSelected = -1, lastSelected = -2 } = props;
  const cell = (column: PlacedColumn, left: number): ReactElement => (
    <div
      key={column.name}
      id={cellIdOf(gridId, index, column.index)}
      role="gridcell"
      className="grid-cell"
      aria-colindex={column.index + 1}
      aria-selected={column.index >= firstSelected && column.index <= lastSelected}
      data-active={column.index === active}
      data-numeric={isNumeric(column)}
      data-cut={typeof data === 'object' && data.cut.includes(column.name)}
      data-column={column.index}
      style={{ left, width: column.width, lineHeight: `${String(height - 1)}px` }}
    >
      {contentOf(data, column.name)}
    </div>
  );
  return (
    <div
      role="row"
      className="grid-row"
      aria-rowindex={index + 2}
      data-row={index}
      data-open={isOpen}
      style={{ top, height }}
    >
      {pinned.length > 0 && (
        <div className="grid-pinned" role="presentation" style={{ width: pinnedWidth }}>
          {pinned.map((column) => cell(column, column.left))}
        </div>
      )}
      {scrolled.map((column) => cell(column, column.left))}
    </div>
  );
});
GridRow.displayName = 'GridRow';
