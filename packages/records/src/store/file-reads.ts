import type { VisibleLabels } from '@redoubt/labels';
import {
  columnExpression,
  compileFilePages,
  querySettings,
  filePageSettings,
  compileVisibleText,
  type CompiledFilePages,
  type RecordIdRange,
  type TableColumn,
} from '@redoubt/query';
import type { Engine, QueryOptions } from '../engine/engine.ts';
import { isMemoryLimitError } from '../engine/engine-errors.ts';
import { tableFormats, type TableFormat } from '../formats/table-format.ts';
import type { CatalogCache } from './catalog-cache.ts';
import { internalColumns } from './internal-columns.ts';
import type { SearchRequest, SequenceRequest } from './record-reads.ts';
import { tableName } from './record-table.ts';
import type { DatasetFieldTypes } from './schema.ts';
import { statementOptions, type StatementOwner } from './statement-options.ts';
import type { StoreLimits } from './store-limits.ts';

/** The records of a file: a range of ids, or the matches of a search. */
export type FileReadRequest = (SearchRequest | SequenceRequest) & {
  format: TableFormat;
  /** The fields that become columns: those of the visible records. */
  schema: DatasetFieldTypes;
};

/** Reads records as CSV, Arrow or Parquet files. */
export interface FileReads {
  /** Streams the records as one file with typed columns, page by page. */
  table(read: FileReadRequest): AsyncIterable<Uint8Array>;
}

/** The rows of the first page and of the largest page. */
const fewestRows = 256;
const mostRows = 65_536;
/** How many times longer than the previous page a page may be. */
const mostGrowth = 16;
/**
 * How many pages one lookup finds when pages do not grow any more: a lookup costs a sixth of reading a page. For a
 * search, each lookup finds one page, because it may scan all records.
 */
const pagesAtOnce = 8;

/**
 * Reads files in pages, each with its own statement. A slow reader therefore holds no connection, and nothing in the
 * file discloses hidden rows between visible ones. At most two pages are in memory: the one being sent and the next.
 */
export function createFileReads({
  engine,
  database,
  cache,
  limits,
  kinds,
}: {
  engine: Engine;
  database: string;
  cache: CatalogCache;
  limits: StoreLimits;
  /**
   * The kinds of values at each path of the visible records. Kinds that only hidden records have would change the size
   * of a statement, which would disclose them.
   */
  kinds: (datasetId: string, visible: VisibleLabels) => Promise<ReadonlyMap<string, number>>;
}): FileReads {
  const options = (owner: StatementOwner) => statementOptions(limits, 'querySeconds', 'long', owner);

  async function compile(read: FileReadRequest, columns: readonly TableColumn[]): Promise<CompiledFilePages> {
    const paths = await cache.pathEntries(read.datasetId);
    return compileFilePages({
      table: { database, datasetId: tableName(read.datasetId) },
      visible: read.visible,
      search: 'tree' in read ? { tree: read.tree, paths } : undefined,
      columns,
      clause: compileVisibleText(read.visible.hidden).clauseFor(columns.map(({ sql }) => sql)),
    });
  }

  async function columnsOf({
    datasetId,
    schema,
    visible,
    internalFields,
  }: FileReadRequest): Promise<TableColumn[]> {
    const paths = await cache.pathEntries(datasetId);
    const seen = await kinds(datasetId, visible);
    const text = compileVisibleText(visible.hidden);
    const fields = Object.entries(schema).flatMap(([path, { type }]) => {
      const entry = paths.get(path);
      if (entry === undefined) return [];
      const column = { path, pathId: entry.pathId, kinds: seen.get(path) ?? 0 };
      return [{ name: path, sql: columnExpression(column, type, text.nameFor(path)) }];
    });
    const labels = internalFields === 'all' ? await cache.labels(datasetId, visible.version) : [];
    const columns = [...fields, ...internalColumns({ datasetId, internalFields, visible }, labels)];
    // A file needs at least one column.
    return columns.length === 0
      ? internalColumns({ datasetId, visible, internalFields: 'record-id' }, [])
      : columns;
  }

  return {
    async *table(read) {
      const { limit } = read;
      const { name, settings, join } = tableFormats[read.format];
      const columns = await columnsOf(read);
      const compiled = await compile(read, columns);
      const joined = join(columns.map((column) => column.name));
      const queryOptions: QueryOptions = {
        ...options(read),
        settings: { ...querySettings, ...filePageSettings, ...settings },
        format: name,
      };

      const isSearch = 'tree' in read;
      let place: Place = {
        bounds: isSearch ? {} : { after: read.after, from: read.from, until: read.until },
        left: limit < 0 ? Number.MAX_SAFE_INTEGER : limit,
        offset: isSearch ? read.offset : 0,
      };
      let size = fewestRows;
      let most = mostRows;
      let isGrowing = true;
      let found: PageRows[] = [];
      let sizeFound = size;
      let hasMore = true;

      async function look(): Promise<void> {
        const { bounds, left, offset } = place;
        const rowsOfPage = size;
        const pages = isGrowing || isSearch ? 1 : pagesAtOnce;
        const wanted = Math.min(rowsOfPage * pages, left);
        const sql = compiled.next(bounds, { rows: rowsOfPage, limit: wanted, offset });
        found = pageRows(await engine.text(sql, options(read)));
        sizeFound = rowsOfPage;
        const rows = found.reduce((sum, page) => sum + page.rows, 0);
        hasMore = rows === wanted && rows < left;
      }
      const begin = (rows: number, page: RecordIdRange): Page => {
        const bytes = engine.bytes(compiled.page(page), queryOptions);
        // The reader of the page gets its error; without a reader, it must not become an unhandled rejection.
        bytes.catch(() => undefined);
        return { rows, bytes, place };
      };
      /** Starts reading the next page. */
      async function next(): Promise<Page | undefined> {
        while (found.length === 0 && hasMore) await look();
        const rows = found.shift();
        if (rows === undefined) return undefined;
        const page = begin(rows.rows, { from: rows.first, until: rows.last });
        const { bounds, left } = place;
        place = { bounds: { after: rows.last, until: bounds.until }, left: left - rows.rows, offset: 0 };
        return page;
      }
      /** Drops pages that were looked up but not started. */
      const lookAgain = (): void => {
        found = [];
        hasMore = true;
      };
      const resize = (rows: number, bytes: number): void => {
        size = Math.min(most, nextSize(rows, bytes, limits.tablePageBytes));
        isGrowing = size >= rows * 2;
        // The pages that were looked up are too long.
        if (found.length > 0 && size < sizeFound / 2) lookAgain();
      };

      // A file without rows still has one page.
      let page = (await next()) ?? begin(0, nothing);
      for (;;) {
        // The next page is created while this one is read and sent.
        const coming = next();
        coming.catch(() => undefined);
        let bytes: Uint8Array;
        try {
          bytes = await page.bytes;
        } catch (error) {
          if (page.rows <= 1 || !isMemoryLimitError(error)) throw error;
          // These records are longer than the previous ones: retry with smaller pages.
          const behind = await coming.catch(() => undefined);
          await behind?.bytes.catch(() => undefined);
          most = Math.ceil(page.rows / mostGrowth);
          size = most;
          isGrowing = true;
          ({ place } = page);
          lookAgain();
          page = (await next()) ?? begin(0, nothing);
          continue;
        }
        yield joined.add(bytes);
        // Wait for the lookup before sizes change, so that page sizes depend only on rows and not on timing.
        const following = await coming;
        resize(page.rows, bytes.length);
        if (following === undefined) break;
        page = following;
      }
      yield joined.end();
    },
  };
}

/** Where the remaining rows start, and how many there may be. */
interface Place {
  bounds: RecordIdRange;
  left: number;
  offset: number;
}

/** The rows of a page: their number, and the first and last id. */
interface PageRows {
  rows: number;
  first: string;
  last: string;
}

interface Page {
  rows: number;
  /** Where the page starts. */
  place: Place;
  /** The bytes of the page from the engine. */
  bytes: Promise<Uint8Array>;
}

const pageRows = (lines: string): PageRows[] =>
  lines.split('\n').flatMap((line) => {
    const [rows, first, last] = line.split('\t');
    return first === undefined || last === undefined ? [] : [{ rows: Number(rows), first, last }];
  });

/** An empty range: no record id is between these. */
const nothing: RecordIdRange = { from: '~', until: ' ' };

/** The number of rows of the next page, by the rows and bytes of the previous one. */
const nextSize = (rows: number, bytes: number, wantedBytes: number): number => {
  const fitting = Math.floor((rows * wantedBytes) / bytes);
  return Math.max(1, Math.min(rows * mostGrowth, fitting));
};
