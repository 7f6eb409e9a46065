import type { RowsPage, RowsRequest } from '@redoubt/contract';
import type { GridCells, GridRowData, GridSource } from '@redoubt/ui';
import { markedFieldsOf, withMarks } from './row-marks.ts';

/** The row of a record, with the id of the record. */
export interface RecordRow extends GridCells {
  readonly id: string;
}

/** The rows of a table that are loaded so far. */
export interface RowPagesState {
  readonly source: GridSource;
  /** How many records match; undefined until the first response. */
  readonly total: number | undefined;
  /** The fields in which the search matched something, in the rows that are loaded so far. */
  readonly markedFields: readonly string[];
  /** Whether records changed since the table was opened. */
  readonly isStale: boolean;
  readonly error: unknown;
}

export interface RowPages {
  state(): RowPagesState;
  subscribe(listener: () => void): () => void;
  /** Loads the rows in view. Aborts requests for rows that are no longer in view. */
  want(first: number, end: number, fields: readonly string[] | undefined): void;
  /** The record of a row, if it is loaded. */
  recordAt(index: number): RecordRow | undefined;
  /** Loads rows that are not in view, to copy them. */
  load(first: number, end: number, fields: readonly string[]): Promise<(RecordRow | undefined)[]>;
  /** Aborts all requests of `want`. */
  close(): void;
}

type ReadRows = (request: RowsRequest, signal: AbortSignal) => Promise<RowsPage>;

const rowsPerPage = 100;
/** The maximum number of pages in memory. Pages that have been out of view for longest are dropped first. */
const maxPages = 40;
/** The minimum time between two requests for rows while people scroll. */
const pauseMilliseconds = 60;

const toRow = (found: RowsPage['rows'][number]): GridRowData => found ?? 'gone';

/** Aborts the requests for pages other than those in `kept`. */
const abortOthers = (requests: Map<string, AbortController>, kept: ReadonlySet<string>): void => {
  for (const [key, controller] of requests) {
    if (kept.has(key)) continue;
    requests.delete(key);
    controller.abort();
  }
};

/**
 * Creates a loader of the rows of a table, page by page as they come into view.
 * @param query the search, filters and sort
 */
export const createRowPages = (
  read: ReadRows,
  query: Pick<RowsRequest, 'filters' | 'lucene' | 'sort'>,
): RowPages => {
  const pages = new Map<string, readonly GridRowData[]>();
  const running = new Map<string, AbortController>();
  /** The pages with the marks of a search, and the requests for them. */
  const marked = new Set<string>();
  const marking = new Map<string, AbortController>();
  const markedFields = new Set<string>();
  const listeners = new Set<() => void>();
  let view: string | undefined;
  let fieldsKey = '';
  let fields: readonly string[] | undefined;
  let wanted = { first: 0, end: 1 };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastRequest = -Infinity;
  let isClosed = false;

  const keyOf = (page: number): string => `${String(page)} ${fieldsKey}`;
  const row = (index: number): GridRowData =>
    pages.get(keyOf(Math.floor(index / rowsPerPage)))?.[index % rowsPerPage] ?? 'loading';
  const rangeOf = (page: number): Pick<RowsRequest, 'limit' | 'offset' | 'view'> => ({
    ...(view !== undefined && { view }),
    offset: page * rowsPerPage,
    limit: rowsPerPage,
  });
  const emptySource: GridSource = { rowCount: 0, row };
  let state: RowPagesState = {
    source: emptySource,
    total: undefined,
    markedFields: [],
    isStale: false,
    error: null,
  };

  const change = (next: Partial<RowPagesState>): void => {
    const total = next.total ?? state.total;
    state = { ...state, ...next, source: { rowCount: total ?? 0, row } };
    for (const listener of listeners) listener();
  };

  /** Stores the view of a response. */
  const take = (page: RowsPage, asked: string | undefined): void => {
    // Another view has another order, so the loaded pages are no longer valid.
    if (asked !== undefined && page.view !== asked) {
      pages.clear();
      marked.clear();
    }
    view = page.view ?? undefined;
  };

  /**
   * Marks what the search matched in the rows of a page. The request is of its own, so that the rows are painted first;
   * if it fails, they stay without marks.
   */
  const markPage = async (page: number): Promise<void> => {
    const key = keyOf(page);
    const controller = new AbortController();
    marking.set(key, controller);
    try {
      const body = { ...query, ...rangeOf(page), fields: [], highlight: true };
      const { rows } = await read(body, controller.signal);
      const known = pages.get(key);
      if (known !== undefined) {
        const withOwn = withMarks(known, rows);
        pages.set(key, withOwn);
        for (const field of markedFieldsOf(withOwn)) markedFields.add(field);
      }
    } catch {
      if (controller.signal.aborted) return;
    }
    marking.delete(key);
    marked.add(key);
    change({ markedFields: [...markedFields] });
    request();
  };

  const fetchPage = async (page: number): Promise<void> => {
    const key = keyOf(page);
    const controller = new AbortController();
    running.set(key, controller);
    const asked = view;
    try {
      const response = await read(
        {
          ...query,
          ...rangeOf(page),
          ...(fields !== undefined && { fields: [...fields] }),
        },
        controller.signal,
      );
      take(response, asked);
      pages.delete(key);
      marked.delete(key);
      pages.set(key, response.rows.map(toRow));
      for (const oldest of pages.keys()) {
        if (pages.size <= maxPages) break;
        pages.delete(oldest);
        marked.delete(oldest);
      }
      running.delete(key);
      change({ total: response.total, isStale: state.isStale || response.stale, error: null });
      request();
    } catch (error) {
      if (controller.signal.aborted) return;
      running.delete(key);
      change({ error });
    }
  };

  const neededPages = (): number[] => {
    const last = state.total === undefined ? 0 : Math.max(0, Math.ceil(state.total / rowsPerPage) - 1);
    const from = Math.min(last, Math.max(0, Math.floor((wanted.first - rowsPerPage / 2) / rowsPerPage)));
    const to = Math.min(last, Math.floor((wanted.end + rowsPerPage / 2) / rowsPerPage));
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
  };

  const request = (): void => {
    if (isClosed) return;
    lastRequest = performance.now();
    const needed = neededPages();
    const keys = new Set(needed.map(keyOf));
    abortOthers(running, keys);
    abortOthers(marking, keys);
    for (const page of needed) {
      // The first response names the view that all later requests must use.
      if (state.total === undefined && running.size > 0) break;
      const key = keyOf(page);
      const known = pages.get(key);
      if (known === undefined && !running.has(key)) void fetchPage(page);
      if (known !== undefined) {
        // Adding the page again makes it the last one to be dropped.
        pages.delete(key);
        pages.set(key, known);
      }
    }
    if (query.lucene === undefined || running.size > 0 || marking.size > 0) return;
    const next = needed.find((page) => pages.has(keyOf(page)) && !marked.has(keyOf(page)));
    if (next !== undefined) void markPage(next);
  };

  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    want: (first, end, chosen) => {
      wanted = { first, end };
      fields = chosen;
      fieldsKey = chosen === undefined ? '' : JSON.stringify(chosen);
      clearTimeout(timer);
      const wait = pauseMilliseconds - (performance.now() - lastRequest);
      if (wait <= 0) request();
      else timer = setTimeout(request, wait);
    },
    recordAt: (index) => {
      const found = row(index);
      return typeof found === 'object' ? (found as RecordRow) : undefined;
    },
    load: async (first, end, chosen) => {
      const found: (RecordRow | undefined)[] = [];
      for (let offset = first; offset < end; offset += 500) {
        const limit = Math.min(500, end - offset);
        const response = await read(
          { ...query, fields: [...chosen], offset, limit, ...(view !== undefined && { view }) },
          new AbortController().signal,
        );
        found.push(...response.rows.map((one) => one ?? undefined));
      }
      return found;
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      abortOthers(running, new Set());
      abortOthers(marking, new Set());
    },
  };
};
