import type { VisibleLabels } from '@redoubt/labels';
import {
  columnExpression,
  compileTable,
  querySettings,
  tablePageSettings,
  visibleText,
  type CompiledTable,
  type TableBounds,
  type TableColumn,
} from '@redoubt/query';
import type { Engine, QueryOptions } from '../engine/engine.ts';
import { tableFormats, type TableFormat } from '../formats/table-format.ts';
import type { CatalogCache } from './catalog-cache.ts';
import { internalColumns } from './internal-columns.ts';
import type { SearchRequest, SequenceRequest } from './read-records.ts';
import { tableName } from './record-table.ts';
import type { RecordSchema } from './schema.ts';
import { statementOptions, type Asker } from './statement-options.ts';
import type { StoreLimits } from './store-limits.ts';

/** What a table is made of: records of a range, or those that match a search. */
export type TableRead = (SearchRequest | SequenceRequest) & {
  format: TableFormat;
  /** The fields that become columns: those of the records that the reader sees. */
  schema: RecordSchema;
};

export interface TableReading {
  /** The records as typed columns: the bytes of one file, made page by page. */
  table(read: TableRead): AsyncIterable<Uint8Array>;
}

/** Rows of the first page, and of the largest. */
const fewestRows = 256;
const mostRows = 65_536;
/** A page is twice as long as the one before as long as that had fewer bytes, and half as long where it had eight times as many. */
const smallPage = 8_000_000;

/**
 * Reads tables in pages, each a statement of its own: a slow reader holds no connection of the engine, and nothing in
 * the file tells of rows that were passed over. At most two pages are in memory: the one that is sent and the one behind it.
 */
export function createTableReading({
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
  /** What stands at each path of the records that the reader sees; kinds of others would show in the size of a statement. */
  kinds: (datasetId: string, visible: VisibleLabels) => Promise<ReadonlyMap<string, number>>;
}): TableReading {
  const options = (asker: Asker) => statementOptions(limits, 'querySeconds', 'long', asker);

  async function compile(read: TableRead, columns: readonly TableColumn[]): Promise<CompiledTable> {
    const paths = await cache.pathEntries(read.datasetId);
    return compileTable({
      table: { database, datasetId: tableName(read.datasetId) },
      visible: read.visible,
      search: 'tree' in read ? { tree: read.tree, paths } : undefined,
      columns,
      clause: visibleText(read.visible.hidden).clauseFor(columns.map(({ sql }) => sql)),
    });
  }

  async function columnsOf({
    datasetId,
    schema,
    visible,
    internalFields,
  }: TableRead): Promise<TableColumn[]> {
    const paths = await cache.pathEntries(datasetId);
    const seen = await kinds(datasetId, visible);
    const text = visibleText(visible.hidden);
    const fields = Object.entries(schema).flatMap(([path, { type }]) => {
      const entry = paths.get(path);
      if (entry === undefined) return [];
      const column = { path, pathId: entry.pathId, kinds: seen.get(path) ?? 0 };
      return [{ name: path, sql: columnExpression(column, type, text.nameFor(path)) }];
    });
    const labels = internalFields === 'all' ? await cache.labels(datasetId, visible.version) : [];
    const columns = [...fields, ...internalColumns({ datasetId, internalFields, visible }, labels)];
    // A file has a column at least.
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
      const asked: QueryOptions = {
        ...options(read),
        settings: { ...querySettings, ...tablePageSettings, ...settings },
        format: name,
      };

      /** Finds the rows of a page, and begins to read them; a table without rows has one page all the same. */
      async function find({ bounds, left, offset, isFirst }: Place, size: number): Promise<Page> {
        const wanted = Math.min(size, left);
        const found = await engine.text(compiled.next(bounds, wanted, offset), options(read));
        const [count = '0', first, last] = found.trimEnd().split('\t');
        const rows = Number(count);
        const isLast = rows < wanted || rows === left;
        const bytes =
          rows > 0 || isFirst
            ? engine.bytes(compiled.page(rows > 0 ? { from: first, until: last } : nothing), asked)
            : undefined;
        // Whoever takes the page learns of its fault; nobody may be left to.
        bytes?.catch(() => undefined);
        const behind = { bounds: { after: last, until: bounds.until }, left: left - rows, offset: 0 };
        return { bytes, next: isLast ? undefined : { ...behind, isFirst: false } };
      }

      const isSearch = 'tree' in read;
      let size = fewestRows;
      let coming: Promise<Page> | undefined = find(
        {
          bounds: isSearch ? {} : { after: read.after, from: read.from, until: read.until },
          left: limit < 0 ? Number.MAX_SAFE_INTEGER : limit,
          offset: isSearch ? read.offset : 0,
          isFirst: true,
        },
        size,
      );
      while (coming !== undefined) {
        const { bytes: reading, next }: Page = await coming;
        // The page behind is made while this one is read, and while it is sent.
        coming = next === undefined ? undefined : find(next, size);
        coming?.catch(() => undefined);
        const bytes = await reading;
        if (bytes === undefined) break;
        yield joined.add(bytes);
        size = nextSize(size, bytes.length);
      }
      yield joined.end();
    },
  };
}

/** Where a page begins, and how many rows there may be from there on. */
interface Place {
  bounds: TableBounds;
  left: number;
  offset: number;
  isFirst: boolean;
}

interface Page {
  /** What the engine writes of it; absent where no row is left. */
  bytes: Promise<Uint8Array> | undefined;
  /** Where the page behind it begins; absent where there can be none. */
  next: Place | undefined;
}

/** Ids of records stand between these. */
const nothing: TableBounds = { from: '~', until: ' ' };

const nextSize = (size: number, bytes: number): number => {
  if (bytes < smallPage) return Math.min(size * 2, mostRows);
  return bytes > smallPage * 8 ? Math.max(size / 2, 1) : size;
};
