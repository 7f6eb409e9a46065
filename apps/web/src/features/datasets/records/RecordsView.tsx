import type { Dataset, RowFilter } from '@redoubt/contract';
import {
  ColumnChart,
  countCells,
  DataGrid,
  ErrorState,
  TableSkeleton,
  type CellRange,
  type GridColumn,
  type GridHandle,
  type RowsInView,
} from '@redoubt/ui';
import Box from '@mui/material/Box';
import Snackbar from '@mui/material/Snackbar';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useQueryClient } from '@tanstack/react-query';
import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
} from 'react';
import { describeError, isError } from '../../../api/client.ts';
import { keys } from '../../../api/keys.ts';
import { barsOf, captionOf, filterByBar } from './column-charts.ts';
import type { ArrangedField } from './column-layout.ts';
import { ColumnMenu } from './ColumnMenu.tsx';
import { FacetPanel } from './FacetPanel.tsx';
import { FilterEditor } from './FilterEditor.tsx';
import { fittingWidth } from './fitting-width.ts';
import { RecordCards } from './RecordCards.tsx';
import { RecordPanel } from './RecordPanel.tsx';
import { NoRecords } from './NoRecords.tsx';
import { exportOf } from './records-export.ts';
import { nextSort, toggleValue, type RecordsSearch } from './records-search.ts';
import { RecordsToolbar } from './RecordsToolbar.tsx';
import { useAfterPaint } from './use-after-paint.ts';
import { useColumnLayout } from './use-column-layout.ts';
import { useCopy } from './use-copy.ts';
import { isTyping, useSlashKey } from './use-slash-key.ts';
import { useGridStart } from './use-grid-start.ts';
import { useProfiles, useRowPages } from './use-records.ts';
import { recordsText as texts } from '../../../text/records.ts';

interface RecordsViewProps {
  dataset: Dataset;
  /** The search, filters, sort and open record that are in the address of the page. */
  search: RecordsSearch;
  /** Changes the address. `replace` adds no entry to the browser history. */
  onSearch: (search: RecordsSearch, options?: { replace: boolean }) => void;
}

const noFilters: readonly RowFilter[] = [];
const noSort: NonNullable<RecordsSearch['sort']> = [];
const chartHeight = 64;
/** The maximum number of fields that a request for rows names. If there are more, those in view are requested. */
const maxFields = 100;
/**
 * The first visible column is rounded down to a multiple of this, so that scrolling seldom requests charts and fields
 * anew.
 */
const columnStep = 10;

/**
 * The records that are visible to the person, as a table that can be searched, filtered and sorted, with a panel for
 * one record.
 */
export const RecordsView = ({ dataset, search, onSearch }: RecordsViewProps): ReactElement => {
  const { q = '', filters = noFilters, sort = noSort, record, row } = search;
  const selection = useMemo(() => ({ datasetId: dataset.id, q, filters }), [dataset.id, q, filters]);
  const { pages, state, isWaiting, version, refresh } = useRowPages(selection, sort);
  const client = useQueryClient();
  const arrangement = useColumnLayout(dataset);
  const shown = useMemo(() => arrangement.columns.filter(({ isHidden }) => !isHidden), [arrangement.columns]);
  const names = useMemo(() => shown.map(({ name }) => name), [shown]);
  // A ref and not a state, because a state would render the page again at each step of scrolling.
  const view = useRef({ first: 0, end: 30 });
  const [firstColumn, setFirstColumn] = useState(0);
  const [range, setRange] = useState<CellRange>({ firstRow: 0, lastRow: 0, firstColumn: 0, lastColumn: 0 });
  const [menu, setMenu] = useState<{ column: ArrangedField; anchor: HTMLElement }>();
  const [filtering, setFiltering] = useState<{ field: string; anchor: HTMLElement }>();
  const isWide = useMediaQuery('(min-width: 900px)');
  const isPhone = useMediaQuery('(max-width: 599px)');
  const [hasValues, setHasValues] = useState(true);
  const grid = useRef<GridHandle>(null);
  const searchRef = useRef<HTMLInputElement>(null);
  const copying = useCopy(pages, names);
  const { isLoaded } = arrangement;
  const isPainted = useAfterPaint(pages, isLoaded && !isWaiting);
  const profiles = useProfiles(selection, names, firstColumn, isWide && isPainted);

  const firstField =
    names.length <= maxFields ? 0 : Math.floor(firstColumn / (maxFields / 2)) * (maxFields / 2);
  const fields = useMemo(() => names.slice(firstField, firstField + maxFields), [names, firstField]);
  useEffect(() => {
    if (isLoaded) pages.want(view.current.first, view.current.end, fields);
  }, [pages, fields, isLoaded]);
  const onView = useCallback(
    ({ first, end, firstColumn: column }: RowsInView): void => {
      view.current = { first, end };
      setFirstColumn(Math.floor(column / columnStep) * columnStep);
      pages.want(first, end, fields);
    },
    [pages, fields],
  );

  const change = (next: Partial<RecordsSearch>): void => {
    const { record: _record, row: _row, ...kept } = { ...search, ...next };
    onSearch(kept);
  };
  const setFilters = (next: readonly RowFilter[]): void => change({ filters: next });
  const addFilter = (field: string, value: string | null, operator: 'is' | 'is-not'): void =>
    setFilters(toggleValue(filters, field, value, operator));

  const open = useCallback(
    async (index: number, replace: boolean): Promise<void> => {
      const known = pages.recordAt(index) ?? (await pages.load(index, index + 1, []))[0];
      if (known !== undefined) onSearch({ ...search, record: known.id, row: index }, { replace });
    },
    [pages, onSearch, search],
  );
  const step = (by: -1 | 1): void => {
    const next = (row ?? 0) + by;
    if (next < 0 || next >= (state.total ?? 0)) return;
    grid.current?.showRow(next);
    void open(next, true);
  };
  const closeRecord = (): void => {
    change({});
    grid.current?.focus();
  };

  const isReady = isLoaded && state.total !== undefined && state.total > 0;
  useGridStart(grid, { pages, isWaiting, isReady, row });
  useSlashKey(searchRef);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (record === undefined || isTyping(event.target)) return;
    if (event.key === 'j') step(1);
    else if (event.key === 'k') step(-1);
    else if (event.key === 'Escape') closeRecord();
  };

  const fit = (column: GridColumn): void =>
    arrangement.change(column.name, { width: fittingWidth(column, pages, view.current) });
  const profileOf = (name: string) => profiles.data?.profiles.find(({ field }) => field === name);
  const renderBelow = ({ name }: GridColumn): ReactElement | null => {
    const profile = profileOf(name);
    if (profile === undefined || profiles.data === undefined) return null;
    return (
      <ColumnChart
        bars={barsOf(profile)}
        caption={captionOf(profile, profiles.data.records, profiles.data.isSample)}
        onPick={(bar) => setFilters(filterByBar(filters, profile, bar))}
      />
    );
  };

  // Records that were written since the dataset was loaded may have other fields, and change its counts.
  const hasNewRecords = !isWaiting && (version > 0 || (isReady && arrangement.columns.length === 0));
  useEffect(() => {
    if (hasNewRecords) void client.invalidateQueries({ queryKey: keys.dataset(dataset.id), exact: true });
  }, [client, dataset.id, hasNewRecords, version]);

  const label = `Records of ${dataset.name}`;
  const isEmpty = state.total === 0;
  const isWhole = q === '' && filters.length === 0;
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', height: '100%' }} onKeyDown={onKeyDown}>
      {!(isEmpty && isWhole) && (
        <RecordsToolbar
          q={q}
          filters={filters}
          arrangement={arrangement}
          total={isWaiting ? undefined : state.total}
          markedColumns={q === '' ? [] : names.filter((name) => state.markedFields.includes(name))}
          hasFailed={state.error !== null}
          isStale={state.isStale}
          selectedCells={countCells(range)}
          exported={exportOf(dataset.id, search)}
          fileName={dataset.name}
          hasValues={hasValues}
          searchRef={searchRef}
          onSearch={(next) => change({ q: next })}
          onFilters={setFilters}
          onCopy={(format) => void copying.copy(range, format)}
          onJump={(to) => {
            grid.current?.showRow(to);
            grid.current?.focus();
          }}
          onShowColumn={(name) => grid.current?.showColumn(name)}
          onRefresh={refresh}
          onToggleValues={() => setHasValues(!hasValues)}
        />
      )}
      {state.error !== null && (
        <Box sx={{ px: { xs: 2, md: 3 } }}>
          <ErrorState
            title={isError(state.error, 'LuceneParseError') ? texts.searchUnreadable : texts.rowsFailed}
            {...describeError(state.error)}
            onRetry={isError(state.error, 'LuceneParseError') ? undefined : refresh}
          />
        </Box>
      )}
      <Box
        sx={{
          flex: 1,
          minHeight: 240,
          display: 'flex',
          borderTop: state.error === null ? 1 : 0,
          borderColor: 'divider',
          position: 'relative',
        }}
      >
        {isWide && hasValues && state.error === null && !(isEmpty && isWhole) && (
          <FacetPanel
            selection={selection}
            fields={arrangement.columns}
            hasRows={isPainted}
            onChange={setFilters}
          />
        )}
        <Box sx={{ flex: 1, minWidth: 0, overflow: isPhone ? 'auto' : undefined }}>
          {((state.total === undefined && isWaiting) || !isLoaded) && (
            <TableSkeleton label={texts.loadingRecords} columns={[2, 2, 1, 1, 2]} rows={24} />
          )}
          {isEmpty && (
            <NoRecords
              datasetId={dataset.id}
              q={q}
              filters={filters}
              isReading={isWaiting}
              onRefresh={refresh}
              onClear={() => onSearch({ sort })}
            />
          )}
          {isReady && isPhone && (
            <RecordCards
              label={label}
              columns={shown}
              source={state.source}
              onOpenRow={(index) => void open(index, false)}
              onView={onView}
            />
          )}
          {isReady && !isPhone && (
            <DataGrid
              ref={grid}
              label={label}
              columns={shown}
              source={state.source}
              headerHeight={isWide ? chartHeight : 32}
              openRow={record === undefined ? undefined : row}
              onOpenRow={(index) => void open(index, record !== undefined)}
              onView={onView}
              onSelect={setRange}
              onCopy={(cells) => void copying.copy(cells, 'tsv')}
              sortOf={(name) => sort.find(({ field }) => field === name)?.direction}
              onSort={({ name }) => change({ sort: nextSort(sort, name) })}
              onMenu={({ name }, anchor) => {
                const column = shown.find((one) => one.name === name);
                if (column !== undefined) setMenu({ column, anchor });
              }}
              onResize={({ name }, width) => arrangement.change(name, { width })}
              onFit={fit}
              onMove={arrangement.move}
              renderBelow={isWide ? renderBelow : undefined}
            />
          )}
        </Box>
        {record !== undefined && (
          <RecordPanel
            datasetId={dataset.id}
            schema={dataset.schema}
            recordId={record}
            onClose={closeRecord}
            onStep={step}
            onFilter={addFilter}
            onShowColumn={(name) =>
              names.includes(name) ? undefined : () => arrangement.change(name, { isHidden: false })
            }
          />
        )}
      </Box>
      {menu !== undefined && (
        <ColumnMenu
          {...menu}
          before={shown[shown.indexOf(menu.column) - 1]}
          after={shown[shown.indexOf(menu.column) + 1]}
          arrangement={arrangement}
          onSort={(next) => change({ sort: next })}
          onFilter={(field) => setFiltering({ field, anchor: menu.anchor })}
          onFit={fit}
          onClose={() => setMenu(undefined)}
        />
      )}
      {filtering !== undefined && (
        <FilterEditor
          anchor={filtering.anchor}
          fields={[filtering.field]}
          filter={undefined}
          onSave={(filter) => {
            setFiltering(undefined);
            setFilters([...filters, filter]);
          }}
          onClose={() => setFiltering(undefined)}
        />
      )}
      <Snackbar
        open={copying.message !== ''}
        autoHideDuration={6000}
        onClose={copying.clear}
        message={copying.message}
      />
    </Box>
  );
};
