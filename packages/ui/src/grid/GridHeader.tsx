import {
  memo,
  useRef,
  useState,
  type DragEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
} from 'react';
import {
  isNumeric,
  maxColumnWidth,
  minColumnWidth,
  type GridColumn,
  type PlacedColumn,
} from '../columns/index.ts';
import { cellIdOf } from './GridRow.tsx';

/** The order of a sorted column, in the words of the attribute `aria-sort`. */
export type SortDirection = 'ascending' | 'descending';

/** The actions on columns. Only those with a function are offered. */
export interface ColumnActions {
  /** The order of a column, if the rows are sorted by it. */
  sortOf?: ((name: string) => SortDirection | undefined) | undefined;
  /** Called for a click on the name of a column, or Enter on its header. */
  onSort?: ((column: GridColumn) => void) | undefined;
  /** Opens the menu of a column at its header. */
  onMenu?: ((column: GridColumn, anchor: HTMLElement) => void) | undefined;
  onResize?: ((column: GridColumn, width: number) => void) | undefined;
  /** Called for a double click on the edge of a column, to make it as wide as its values. */
  onFit?: ((column: GridColumn) => void) | undefined;
  /** Moves the column `name` in front of the column `before`. */
  onMove?: ((name: string, before: string) => void) | undefined;
  /** Renders what is below the name of a column, such as a small chart. */
  renderBelow?: ((column: GridColumn) => ReactNode) | undefined;
}

interface HeaderCellProps {
  column: PlacedColumn;
  actions: ColumnActions;
  gridId: string;
  isActive: boolean;
}

const arrows = { ascending: '↑', descending: '↓' } as const;

const clampWidth = (width: number): number => Math.max(minColumnWidth, Math.min(maxColumnWidth, width));

const ResizeHandle = ({ column, actions }: Pick<HeaderCellProps, 'actions' | 'column'>): ReactElement => {
  const start = useRef<{ x: number; width: number }>(undefined);
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { x: event.clientX, width: column.width };
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    if (start.current === undefined) return;
    actions.onResize?.(column, clampWidth(start.current.width + event.clientX - start.current.x));
  };
  return (
    <span
      className="grid-resize"
      aria-hidden
      data-resize={column.name}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        start.current = undefined;
      }}
      // Without this, the browser would start to drag the header.
      onMouseDown={(event) => event.preventDefault()}
      onDoubleClick={() => actions.onFit?.(column)}
    />
  );
};

const HeaderCell = ({ column, actions, gridId, isActive }: HeaderCellProps): ReactElement => {
  const [isTarget, setIsTarget] = useState(false);
  const sort = actions.sortOf?.(column.name);
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setIsTarget(false);
    const name = event.dataTransfer.getData('text/plain');
    if (name !== column.name) actions.onMove?.(name, column.name);
  };
  return (
    <div
      id={cellIdOf(gridId, -1, column.index)}
      role="columnheader"
      className="grid-head"
      aria-colindex={column.index + 1}
      aria-sort={sort ?? 'none'}
      data-active={isActive}
      data-drop={isTarget}
      title={column.name}
      style={{ left: column.left, width: column.width }}
      draggable={actions.onMove !== undefined}
      onDragStart={(event) => event.dataTransfer.setData('text/plain', column.name)}
      onDragOver={(event) => {
        event.preventDefault();
        setIsTarget(true);
      }}
      onDragLeave={() => setIsTarget(false)}
      onDrop={onDrop}
    >
      <div
        className="grid-title"
        style={isNumeric(column) ? { justifyContent: 'flex-end' } : undefined}
        onClick={() => actions.onSort?.(column)}
      >
        <bdi className="grid-name">{column.name}</bdi>
        {column.type !== undefined && <span className="grid-type">{column.type}</span>}
        {sort !== undefined && <span aria-hidden>{arrows[sort]}</span>}
        {actions.onMenu !== undefined && (
          <button
            type="button"
            tabIndex={-1}
            aria-label={`Menu of ${column.name}`}
            aria-haspopup="menu"
            onClick={(event) => {
              event.stopPropagation();
              actions.onMenu?.(column, event.currentTarget);
            }}
          >
            ⋮
          </button>
        )}
      </div>
      {actions.renderBelow?.(column)}
      {actions.onResize !== undefined && <ResizeHandle column={column} actions={actions} />}
    </div>
  );
};

interface GridHeaderProps {
  pinned: readonly PlacedColumn[];
  scrolled: readonly PlacedColumn[];
  pinnedWidth: number;
  width: number;
  height: number;
  actions: ColumnActions;
  gridId: string;
  /** The active column, if the header is active. */
  active: number | undefined;
}

/** The row of column names. It is memoized, because a grid renders whenever it is scrolled. */
export const GridHeader = memo((props: GridHeaderProps): ReactElement => {
  const { pinned, scrolled, pinnedWidth, width, height, actions, gridId, active } = props;
  const cell = (column: PlacedColumn): ReactElement => (
    <HeaderCell
      key={column.name}
      column={column}
      actions={actions}
      gridId={gridId}
      isActive={column.index === active}
    />
  );
  return (
    <div role="row" className="grid-header" aria-rowindex={1} style={{ width, minWidth: '100%', height }}>
      {pinned.length > 0 && (
        <div className="grid-pinned" role="presentation" style={{ width: pinnedWidth }}>
          {pinned.map(cell)}
        </div>
      )}
      {scrolled.map(cell)}
    </div>
  );
});
GridHeader.displayName = 'GridHeader';
