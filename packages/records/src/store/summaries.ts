import { noVisibleLabels, type SortedPaths, type VisibleLabels } from '@redoubt/labels';
import {
  compileUnfilteredPredicate,
  compileSearch,
  compileSql,
  type LuceneNode,
  type ParsedSql,
  type WrittenName,
} from '@redoubt/query';
import { RedoubtError } from '@redoubt/errors';
import type { Engine, StatementOptions } from '../engine/engine.ts';
import type { CatalogCache } from './catalog-cache.ts';
import { searchSummaryCopies, type DatasetMatches, type DatasetSearch } from './search-summary-copies.ts';
import type { SqlSource } from './record-reads.ts';
import { tableName } from './record-table.ts';
import { jsonRecords, createRowStreamResult, recordIdMember, separators } from './row-stream.ts';
import { statementOptions } from './statement-options.ts';
import type { StoreLimits } from './store-limits.ts';
import type { SummaryCopies } from './summary-copies.ts';
import { queryConcurrently } from './summary-statements.ts';

/** A dataset of a summary, as its reader sees it. */
export interface SummarySource {
  datasetId: string;
  visible: VisibleLabels;
  /** A number that changes with every change to the paths of the dataset, from the metadata of this request. */
  pathVersion: number;
}

/** The matches in one dataset; `records` are the first ones, with commas or newlines between them. */
export interface Summary {
  datasetId: string;
  total: number;
  records: Uint8Array;
}

interface SummaryRequest {
  /** Records of each dataset, at least 1. */
  limit: number;
  /** Aborts the statements. */
  signal?: AbortSignal | undefined;
  person: string;
}

export interface SearchSummaryRequest extends SummaryRequest {
  tree: LuceneNode;
  sources: readonly SummarySource[];
  /** Separates records by newlines instead of commas. */
  asLines?: boolean;
  /** Adds the id of each record to it. */
  hasRecordIds?: boolean;
}

export interface SqlSummaryRequest extends SummaryRequest {
  parsed: ParsedSql;
  /** Whether a table name stands for each dataset in turn. */
  isDataset(name: WrittenName): boolean;
  sources: readonly SqlSource[];
  now: Date;
}

export interface SummaryReads {
  /** Searches many datasets. Datasets without matches are left out; the order is that of `sources`. */
  summariseSearch(request: SearchSummaryRequest): Promise<Summary[]>;
  /**
   * Runs a statement on each of many datasets. A dataset has no rows if no visible record has a field of the statement,
   * or the field has another type.
   * @throws RedoubtError if this holds for all datasets
   */
  summariseSql(request: SqlSummaryRequest): Promise<Summary[]>;
  /** Waits until all copies for summaries that were requested so far are made. */
  summariesReady(): Promise<void>;
}

/** The statements for one dataset. They read one row more than requested; if it exists, the rows are counted. */
interface Part {
  datasetId: string;
  rows: string;
  count: string;
  hidden: SortedPaths;
}

/**
 * @param cache the cached paths of datasets
 * @param copies the copies for searching many small datasets at once
 */
export function createSummaryReads({
  engine,
  database,
  cache,
  copies,
  limits,
}: {
  engine: Engine;
  database: string;
  cache: CatalogCache;
  copies: SummaryCopies;
  limits: StoreLimits;
}): SummaryReads {
  const tableOf = (datasetId: string) => ({ database, datasetId: tableName(datasetId) });
  const options = (request: SummaryRequest): StatementOptions =>
    statementOptions(limits, 'querySeconds', 'short', request);

  /** Uses one thread for each dataset, because starting more takes longer than reading most datasets. */
  const queryTables = async (statements: readonly string[], request: SummaryRequest) =>
    queryConcurrently(statements, async (sql) => {
      const statement = options(request);
      return engine.text(sql, { ...statement, settings: { ...statement.settings, max_threads: 1 } });
    });

  async function searchTables(parts: readonly Part[], request: SummaryRequest): Promise<DatasetMatches[]> {
    const { limit } = request;
    const found = await queryTables(
      parts.map(
        ({ rows }, index) => `SELECT ${index} AS part, rowNumberInAllBlocks() AS place, * FROM (${rows})`,
      ),
      request,
    );
    const counted = [...found].filter(([, rows]) => rows.length > limit).map(([index]) => index);
    const counts = await queryTables(
      counted.map((index) => `SELECT ${index} AS part, * FROM (${parts[index]?.count ?? ''})`),
      request,
    );
    return parts.flatMap(({ datasetId, hidden }, index) => {
      const rows = found.get(index);
      if (rows === undefined) return [];
      const total = rows.length > limit ? Number(counts.get(index)?.[0]) : rows.length;
      return [{ datasetId, total, rows, hidden }];
    });
  }

  return {
    summariesReady: copies.settled,

    async summariseSearch(request) {
      const { tree, sources, limit, asLines = false, hasRecordIds = false } = request;
      const parts = sources
        .filter(({ visible }) => visible.size > 0)
        .map(async ({ datasetId, visible, pathVersion }): Promise<DatasetSearch[]> => {
          const paths = await cache.pathEntries(datasetId, pathVersion);
          const match = compileUnfilteredPredicate({ tree, paths, visible });
          return match === undefined ? [] : [{ datasetId, visible, match, paths }];
        });
      const wanted = (await Promise.all(parts)).flat();
      const run = async (sql: string): Promise<string> => engine.text(sql, options(request));
      const { search, others } = await searchSummaryCopies(copies, wanted, { limit, run });
      const inTables = others.map(({ datasetId, visible, paths }) => {
        const query = { table: tableOf(datasetId), tree, paths, visible, offset: 0 };
        const compiled = compileSearch({ ...query, limit: limit + 1, columns: 'plain' });
        return { datasetId, ...compiled, hidden: visible.hidden };
      });
      const all = await Promise.all([search(), searchTables(inTables, request)]);
      return summariesOf(
        all.flat(),
        sources.map(({ datasetId }) => datasetId),
        { limit, asLines, hasRecordIds },
      );
    },

    async summariseSql(request) {
      const { parsed, sources, now, limit, isDataset } = request;
      const parts: Part[] = [];
      let refusal: RedoubtError | undefined;
      for (const source of sources) {
        try {
          const dataset = { ...source, table: tableOf(source.id) };
          const find = (name: WrittenName) => (isDataset(name) ? dataset : undefined);
          const compiled = compileSql({ parsed, catalog: { find }, now, limit, offset: 0, columns: 'plain' });
          const { hidden } = compiled.schema === undefined ? source.visible : noVisibleLabels;
          parts.push({ datasetId: source.id, rows: compiled.rows, count: compiled.count, hidden });
        } catch (error) {
          if (!(error instanceof RedoubtError) || error.name === 'TableNotFoundError') throw error;
          refusal ??= error;
        }
      }
      if (parts.length === 0 && refusal !== undefined) throw refusal;
      return summariesOf(
        await searchTables(parts, request),
        parts.map(({ datasetId }) => datasetId),
        { limit, asLines: false, hasRecordIds: false },
      );
    },
  };
}

interface SummaryRowOptions {
  limit: number;
  asLines: boolean;
  hasRecordIds: boolean;
}

/** Returns the summaries in the order of the ids. */
async function summariesOf(
  found: readonly DatasetMatches[],
  datasetIds: readonly string[],
  options: SummaryRowOptions,
): Promise<Summary[]> {
  const byDataset = new Map(found.map((one) => [one.datasetId, one]));
  return Promise.all(
    datasetIds.flatMap((datasetId) => {
      const one = byDataset.get(datasetId);
      if (one === undefined) return [];
      const { total, rows, hidden } = one;
      return [recordsOf(rows, hidden, options).then((records) => ({ datasetId, total, records }))];
    }),
  );
}

/** The first rows in the order of their positions, as items of a JSON array or as lines. */
async function recordsOf(
  rows: readonly string[],
  hidden: SortedPaths,
  { limit, asLines, hasRecordIds }: SummaryRowOptions,
): Promise<Uint8Array> {
  const placed = rows.map((row) => {
    const end = row.indexOf('\t');
    const columns = row.slice(end + 1);
    // Rows whose records get members have two more columns, for the label and the time. The id needs neither.
    return {
      place: Number(row.slice(0, end)),
      row: hasRecordIds ? columns.replace('\t', '\t0\t0\t') : columns,
    };
  });
  const sorted = placed.toSorted((a, b) => a.place - b.place);
  const text = Buffer.from(sorted.map(({ row }) => `${row}\n`).join(''));
  const pieces: Uint8Array[] = [];
  for await (const piece of jsonRecords(
    oneChunk(text),
    {
      limit,
      members: hasRecordIds ? recordIdMember : undefined,
      hidden,
      separator: asLines ? separators.lines : separators.list,
    },
    createRowStreamResult(),
  ))
    pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

async function* oneChunk(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk;
}
