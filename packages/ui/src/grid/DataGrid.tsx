import Box from '@mui/material/Box';
import {
  useContext,
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type Ref,
} from 'react';
import { describeCell } from './CellText.tsx';
import { columnsInView, placeColumns, type GridColumn } from '../columns/index.ts';
import { moveByKey, rangeBetween, type CellPlace, type CellRange } from './grid-keys.ts';
import { sourceOfRows, type GridRowData, type GridSource } from './grid-rows.ts';
import { gridStyles, hiddenText } from './grid-styles.ts';
import { formatCells } from './grid-text.ts';
import { gridWindow } from './grid-window.ts';
import { GridHeader, type ColumnActions } from './GridHeader.tsx';
import { cellIdOf, GridRow } from './GridRow.tsx';
import { RowHeight } from './row-height.ts';
import { spacerHeight } from './tall-scroll.ts';
import { useGridScroll } from './use-grid-scroll.ts';

/** The methods of a grid that its page can call. */
export interface GridHandle {
  /** Makes a row active and brings it into view. */
  showRow(row: number): void;
  /** Brings a column into view, and makes its cell in the active row active. */
  showColumn(name: string): void;
  /** Scrolls to the first row and makes it active, unless the header is active. */
  showStart(): void;
  focus(): void;
}

/** The rows that a grid draws, and the first column of those that are not pinned. */
export interface RowsInView {
  readonly first: number;
  /** One past the last. */
  readonly end: number;
  readonly firstColumn: number;
}

interface DataGridProps extends ColumnActions {
  ref?: Ref<GridHandle> | undefined;
  /** Names the content of the grid for screen readers. */
  label: string;
  columns: readonly GridColumn[];
  /** The values of each row by column. Set this or `source`. */
  rows?: readonly Readonly<Record<string, unknown>>[] | undefined;
  /** The source of the rows, if they are loaded while people scroll. */
  source?: GridSource | undefined;
  rowHeight?: number | undefined;
  headerHeight?: number | undefined;
  /** The row whose details are open. */
  openRow?: number | undefined;
  /** Called for Enter, Space or a double click on a row. */
  onOpenRow?: ((row: number) => void) | undefined;
  /** Called when the last rows come into view. */
  onEndReached?: (() => void) | undefined;
  /** Called when other rows or columns come into view. */
  onView?: ((view: RowsInView) => void) | undefined;
  /** Called when other cells are selected. */
  onSelect?: ((range: CellRange) => void) | undefined;
  /** Called for Ctrl C. If absent, the grid copies the cells itself. */
  onCopy?: ((range: CellRange) => void) | undefined;
}

const overscanRows = 6;
const overscanColumns = 1;
/** The maximum number of cells in the DOM. The visible cells are always drawn, even if there are more. */
const maxCells = 560;

const valueOf = (data: GridRowData, name: string): unknown =>
  typeof data === 'object' ? data.cells[name] : undefined;

/** The cell that the mouse points at. */
const placeAt = ({ target }: MouseEvent): CellPlace | undefined => {
  const cell = target instanceof Element ? target.closest<HTMLElement>('.grid-cell') : null;
  const row = cell?.closest<HTMLElement>('.grid-row')?.dataset['row'];
  const at = cell?.dataset['column'];
  return row === undefined || at === undefined ? undefined : { row: Number(row), column: Number(at) };
};

/**
 * A table of up to millions of rows, of which only the visible part is in the DOM. Arrow keys, Page Up, Page Down, Home
 * and End move the active cell, and with Shift they extend the selection. Ctrl C copies.
 */
export const DataGrid = (props: DataGridProps): ReactElement => {
  const { ref, label, columns, rows, headerHeight = 32, openRow } = props;
  const usualHeight = useContext(RowHeight);
  const { rowHeight = usualHeight } = props;
  const { onOpenRow, onEndReached, onView, onSelect } = props;
  const source = useMemo(() => props.source ?? sourceOfRows(rows ?? []), [props.source, rows]);
  const { rowCount } = source;
  const scroll = useGridScroll(rowCount, rowHeight, headerHeight);
  const { view } = scroll;
  const [active, setActive] = useState<CellPlace>({ row: 0, column: 0 });
  const [anchor, setAnchor] = useState<CellPlace>({ row: 0, column: 0 });
  /** Whether the last key moved the active cell along its row or along its column. */
  const [movedAlong, setMovedAlong] = useState<'column' | 'row'>();
  const gridId = useId();

  const placed = useMemo(() => placeColumns(columns), [columns]);
  const last = placed.at(-1);
  const width = last === undefined ? 0 : last.left + last.width;
  // Rows are drawn again when these arrays are new objects, so they must stay the same while the columns do.
  const { pinned, scrolled } = useMemo(
    () => columnsInView(placed, view.left, view.width, overscanColumns),
    [placed, view.left, view.width],
  );
  const pinnedWidth = pinned.reduce((sum, column) => sum + column.width, 0);
  const bodyHeight = Math.max(0, view.height - headerHeight);
  const position = view.scroll.top + view.scroll.shift;
  const inView = gridWindow(position, bodyHeight, rowHeight, rowCount, 0);
  const drawnColumns = Math.max(1, pinned.length + scrolled.length);
  const spare = Math.floor((Math.floor(maxCells / drawnColumns) - (inView.end - inView.first)) / 2);
  const overscan = Math.max(0, Math.min(overscanRows, spare));
  const drawn = gridWindow(position, bodyHeight, rowHeight, rowCount, overscan);
  const range = rangeBetween(anchor, active);
  const firstColumn = scrolled[0]?.index ?? 0;
  const isActiveDrawn =
    [...pinned, ...scrolled].some(({ index }) => index === active.column) &&
    (active.row < 0 || (active.row >= drawn.first && active.row < drawn.end));

  const isAtEnd = rowCount > 0 && drawn.end >= rowCount;
  useEffect(() => {
    if (isAtEnd) onEndReached?.();
  }, [isAtEnd, onEndReached]);
  useEffect(() => {
    onView?.({ first: drawn.first, end: drawn.end, firstColumn });
  }, [onView, drawn.first, drawn.end, firstColumn]);

  const activeColumn = placed[active.column];
  /** The text for screen readers: the value of the active cell, and the part of its position that changed. */
  const announcement = (): string => {
    if (movedAlong === undefined || activeColumn === undefined) return '';
    if (active.row < 0) return `column ${activeColumn.name}`;
    const data = source.row(active.row);
    const value = data === 'loading' ? data : describeCell(valueOf(data, activeColumn.name));
    return `${value}, ${movedAlong === 'row' ? activeColumn.name : `row ${String(active.row + 1)}`}`;
  };
  const select = (to: CellPlace, isExtending: boolean): void => {
    const start = isExtending ? anchor : to;
    setActive(to);
    setAnchor(start);
    onSelect?.(rangeBetween(start, to));
  };
  const show = ({ row, column }: CellPlace): void => {
    if (row >= 0) scroll.showRow(row);
    const target = placed[column];
    if (target !== undefined && target.isPinned !== true)
      scroll.showColumn(target.left, target.width, pinnedWidth);
  };
  useImperativeHandle(ref, () => ({
    showRow: (row) => {
      const to = { row: Math.max(0, Math.min(rowCount - 1, row)), column: active.column };
      select(to, false);
      show(to);
    },
    showColumn: (name) => {
      const column = placed.findIndex((one) => one.name === name);
      if (column < 0) return;
      const to = { row: active.row, column };
      select(to, false);
      show(to);
    },
    showStart: () => {
      if (active.row > 0) select({ ...active, row: 0 }, false);
      scroll.showRow(0);
    },
    focus: () => scroll.ref.current?.focus(),
  }));

  const copy = (): void => {
    if (props.onCopy !== undefined) {
      props.onCopy(range);
      return;
    }
    const names = placed.slice(range.firstColumn, range.lastColumn + 1).map(({ name }) => name);
    const values = Array.from({ length: range.lastRow - range.firstRow + 1 }, (_, at) =>
      names.map((name) => valueOf(source.row(range.firstRow + at), name)),
    );
    void navigator.clipboard.writeText(formatCells({ names, rows: values }, 'tsv'));
  };

  const openMenu = (): void => {
    const header = document.querySelector<HTMLElement>(`[id="${cellIdOf(gridId, -1, active.column)}"]`);
    if (header !== null && activeColumn !== undefined) props.onMenu?.(activeColumn, header);
  };
  /** Runs the action of a key on the active header or row. @returns false if the key has none */
  const act = (event: KeyboardEvent): boolean => {
    if (active.row < 0 && activeColumn !== undefined) {
      const step = { ArrowLeft: -16, ArrowRight: 16 }[event.key];
      if (event.key === 'Enter') props.onSort?.(activeColumn);
      else if (event.altKey && event.key === 'ArrowDown') openMenu();
      else if (event.altKey && step !== undefined) props.onResize?.(activeColumn, activeColumn.width + step);
      else return event.key === ' ';
      return true;
    }
    if ((event.key === 'Enter' || event.key === ' ') && onOpenRow !== undefined) onOpenRow(active.row);
    else return false;
    return true;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'c') {
      copy();
      event.preventDefault();
      return;
    }
    if (act(event)) {
      event.preventDefault();
      return;
    }
    const next = moveByKey(event, active, {
      page: Math.max(1, Math.floor(bodyHeight / rowHeight)),
      lastRow: Math.max(0, rowCount - 1),
      lastColumn: Math.max(0, columns.length - 1),
      hasHeader: props.onSort !== undefined || props.onMenu !== undefined,
    });
    if (next === undefined) return;
    event.preventDefault();
    select(next, event.shiftKey);
    show(next);
    setMovedAlong(next.row === active.row ? 'row' : 'column');
  };

  return (
    <>
      <Box
        ref={scroll.ref}
        role="grid"
        aria-label={label}
        aria-rowcount={rowCount + 1}
        aria-colcount={columns.length}
        aria-multiselectable
        aria-activedescendant={isActiveDrawn ? cellIdOf(gridId, active.row, active.column) : undefined}
        tabIndex={0}
        onScroll={scroll.measure}
        onKeyDown={onKeyDown}
        // The menu opens on key-up: if it opened on key-down, it would receive the key-up as a choice.
        onKeyUp={({ key }) => {
          if (key === ' ' && active.row < 0) openMenu();
        }}
        sx={gridStyles}
      >
        <GridHeader
          pinned={pinned}
          scrolled={scrolled}
          pinnedWidth={pinnedWidth}
          width={width}
          height={headerHeight}
          actions={props}
          gridId={gridId}
          active={active.row < 0 ? active.column : undefined}
        />
        <div
          role="rowgroup"
          className="grid-body"
          style={{ height: spacerHeight(rowCount * rowHeight), width, minWidth: '100%' }}
          onMouseDown={(event) => {
            const at = placeAt(event);
            if (at !== undefined) select(at, event.shiftKey);
          }}
          onMouseMove={(event) => {
            const at = event.buttons === 1 ? placeAt(event) : undefined;
            if (at !== undefined && (at.row !== active.row || at.column !== active.column)) select(at, true);
          }}
          onDoubleClick={(event) => {
            const at = placeAt(event);
            if (at !== undefined) onOpenRow?.(at.row);
          }}
        >
          {Array.from({ length: drawn.end - drawn.first }, (_, offset) => {
            const index = drawn.first + offset;
            const isSelected = index >= range.firstRow && index <= range.lastRow && active.row >= 0;
            return (
              <GridRow
                key={index}
                index={index}
                top={index * rowHeight - view.scroll.shift}
                height={rowHeight}
                data={source.row(index)}
                pinned={pinned}
                scrolled={scrolled}
                pinnedWidth={pinnedWidth}
                active={index === active.row ? active.column : undefined}
                firstSelected={isSelected ? range.firstColumn : undefined}
                lastSelected={isSelected ? range.lastColumn : undefined}
                isOpen={index === openRow}
                gridId={gridId}
              />
            );
          })}
        </div>
      </Box>
      <span role="status" style={hiddenText}>
        {announcement()}
      </span>
    </>
  );
};
