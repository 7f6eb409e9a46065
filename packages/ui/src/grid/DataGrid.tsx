import Box from '@mui/material/Box';
import {
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
} from 'react';
import { CellText, formatValue } from './CellText.tsx';
import { isNumeric, type GridColumn } from './grid-columns.ts';
import { gridWindow, offsetToShow } from './grid-window.ts';

interface DataGridProps {
  /** What the grid shows, for screen readers. */
  label: string;
  columns: readonly GridColumn[];
  /** Values by column, row by row. */
  rows: readonly Readonly<Record<string, unknown>>[];
  /** Called when the last rows come into view. */
  onEndReached?: (() => void) | undefined;
}

const rowHeight = 36;
const headerHeight = 32;
const columnWidth = 180;
const overscanRows = 8;
const overscanColumns = 2;

interface Place {
  row: number;
  column: number;
}

const moves: Readonly<Record<string, (page: number, last: Place) => Partial<Record<keyof Place, number>>>> = {
  ArrowUp: () => ({ row: -1 }),
  ArrowDown: () => ({ row: 1 }),
  ArrowLeft: () => ({ column: -1 }),
  ArrowRight: () => ({ column: 1 }),
  PageUp: (page) => ({ row: -page }),
  PageDown: (page) => ({ row: page }),
  Home: (_page, last) => ({ column: -last.column }),
  End: (_page, last) => ({ column: last.column }),
};

const clamp = (value: number, last: number): number => Math.max(0, Math.min(last, value));

/** Where a key leads from a cell; undefined for a key that moves nothing. */
const moveBy = (event: KeyboardEvent, from: Place, page: number, last: Place): Place | undefined => {
  const move = moves[event.key]?.(page, last);
  if (move === undefined) return undefined;
  const isFar = event.ctrlKey || event.metaKey;
  if (isFar && event.key === 'Home') return { row: 0, column: 0 };
  if (isFar && event.key === 'End') return last;
  const step = (delta = 0): number => (isFar && delta !== 0 ? Math.sign(delta) * Infinity : delta);
  return {
    row: clamp(from.row + step(move.row), last.row),
    column: clamp(from.column + step(move.column), last.column),
  };
};

/** The visible size and scroll position of an element. */
const useViewport = () => {
  const ref = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, left: 0, width: 800, height: 400 });
  const measure = useCallback(() => {
    const element = ref.current;
    if (element === null) return;
    const { scrollTop: top, scrollLeft: left, clientWidth: width, clientHeight: height } = element;
    setView((old) =>
      old.top === top && old.left === left && old.width === width && old.height === height
        ? old
        : { top, left, width, height },
    );
  }, []);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [measure]);
  return { ref, view, measure };
};

/**
 * A table of which only the visible part is in the page. Arrow keys, Page Up and Down, Home and End move the active
 * cell; Ctrl C copies it.
 */
export const DataGrid = ({ label, columns, rows, onEndReached }: DataGridProps): ReactElement => {
  const { ref, view, measure } = useViewport();
  const [active, setActive] = useState<Place>({ row: 0, column: 0 });
  const id = useId();
  const bodyHeight = Math.max(0, view.height - headerHeight);
  const drawnRows = gridWindow(view.top, bodyHeight, rowHeight, rows.length, overscanRows);
  const drawnColumns = gridWindow(view.left, view.width, columnWidth, columns.length, overscanColumns);
  const last = { row: Math.max(0, rows.length - 1), column: Math.max(0, columns.length - 1) };

  const isAtEnd = rows.length > 0 && drawnRows.end >= rows.length;
  useEffect(() => {
    if (isAtEnd) onEndReached?.();
  }, [isAtEnd, onEndReached]);

  const show = ({ row, column }: Place): void => {
    const element = ref.current;
    if (element === null) return;
    element.scrollTop = offsetToShow(row, element.scrollTop, bodyHeight, rowHeight);
    element.scrollLeft = offsetToShow(column, element.scrollLeft, element.clientWidth, columnWidth);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'c') {
      const name = columns[active.column]?.name ?? '';
      void navigator.clipboard.writeText(formatValue(rows[active.row]?.[name]));
      event.preventDefault();
      return;
    }
    const next = moveBy(event, active, Math.max(1, Math.floor(bodyHeight / rowHeight)), last);
    if (next === undefined) return;
    event.preventDefault();
    setActive(next);
    show(next);
  };

  const cellId = ({ row, column }: Place): string => `${id}-${String(row)}-${String(column)}`;
  const shownColumns = columns.slice(drawnColumns.first, drawnColumns.end);
  return (
    <Box
      ref={ref}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      aria-activedescendant={rows.length === 0 ? undefined : cellId(active)}
      tabIndex={0}
      onScroll={measure}
      onKeyDown={onKeyDown}
      sx={{
        height: '100%',
        overflow: 'auto',
        position: 'relative',
        backgroundColor: 'background.paper',
        fontSize: 13,
        lineHeight: '20px',
        '&:focus-visible [data-active="true"]': {
          outline: '2px solid',
          outlineColor: 'primary.main',
          outlineOffset: -2,
        },
      }}
    >
      <Box
        role="row"
        aria-rowindex={1}
        sx={{
          position: 'sticky',
          top: 0,
          zIndex: 1,
          height: headerHeight,
          width: columns.length * columnWidth,
          minWidth: '100%',
          backgroundColor: 'background.sunken',
          borderBottom: 1,
          borderColor: 'divider',
        }}
      >
        {shownColumns.map((column, at) => (
          <Box
            key={column.name}
            role="columnheader"
            aria-colindex={drawnColumns.first + at + 1}
            title={column.name}
            sx={{
              position: 'absolute',
              left: (drawnColumns.first + at) * columnWidth,
              width: columnWidth,
              px: 1,
              lineHeight: `${String(headerHeight)}px`,
              fontSize: 12,
              fontWeight: 500,
              color: 'text.secondary',
              textAlign: isNumeric(column) ? 'right' : 'left',
              overflow: 'hidden',
              textOverflow: 'ellipsis',
              whiteSpace: 'nowrap',
            }}
          >
            <bdi>{column.name}</bdi>
            {column.type !== undefined && (
              <Box component="span" sx={{ color: 'text.tertiary', fontWeight: 400, ml: 0.5 }}>
                {column.type}
              </Box>
            )}
          </Box>
        ))}
      </Box>
      <Box
        role="rowgroup"
        sx={{
          position: 'relative',
          height: rows.length * rowHeight,
          width: columns.length * columnWidth,
          minWidth: '100%',
        }}
      >
        {rows.slice(drawnRows.first, drawnRows.end).map((row, offset) => {
          const index = drawnRows.first + offset;
          return (
            <Box
              key={index}
              role="row"
              aria-rowindex={index + 2}
              sx={{
                position: 'absolute',
                top: index * rowHeight,
                height: rowHeight,
                width: '100%',
                borderBottom: 1,
                borderColor: 'divider',
                '&:hover': { backgroundColor: 'action.hover' },
              }}
            >
              {shownColumns.map((column, at) => {
                const place = { row: index, column: drawnColumns.first + at };
                const isActive = place.row === active.row && place.column === active.column;
                return (
                  <Box
                    key={column.name}
                    id={cellId(place)}
                    role="gridcell"
                    aria-colindex={place.column + 1}
                    aria-selected={isActive}
                    data-active={isActive}
                    onMouseDown={() => setActive(place)}
                    sx={{
                      position: 'absolute',
                      left: place.column * columnWidth,
                      width: columnWidth,
                      height: '100%',
                      px: 1,
                      py: 1,
                      overflow: 'hidden',
                      textOverflow: 'ellipsis',
                      whiteSpace: 'nowrap',
                      textAlign: isNumeric(column) ? 'right' : 'left',
                    }}
                  >
                    <CellText value={row[column.name]} />
                  </Box>
                );
              })}
            </Box>
          );
        })}
      </Box>
    </Box>
  );
};
