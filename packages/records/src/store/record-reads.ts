import { noVisibleLabels, type VisibleLabels } from '@redoubt/labels';
import {
  compileSearch,
  compileRangeRead,
  compileSql,
  type LuceneNode,
  type ParsedSql,
  type SequenceRequest as SequenceText,
  type SqlDataset,
  type SqlField,
  type WrittenName,
} from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import type { TableFormat } from '../formats/table-format.ts';
import { createBlockReads, isWhole, oneChunk, type RowsRequest } from './block-reads.ts';
import type { BlockSizes } from './block-sizes.ts';
import type { CatalogCache } from './catalog-cache.ts';
import { createCompileMatching } from './compile-matching.ts';
import { internalColumns, type InternalFields } from './internal-columns.ts';
import { tableName } from './record-table.ts';
import {
  jsonRecords,
  recordIdMember,
  separators,
  createRowStreamResult,
  type RowStreamResult,
} from './row-stream.ts';
import type { StoreLimits } from './store-limits.ts';
import { typedTable } from './file-source.ts';
import type { WordsByPathIndexes } from './words-by-path.ts';

/** What all reads of records take: the dataset, the visibility of the reader, and the form of the rows. */
export interface ReadRequest {
  datasetId: string;
  visible: VisibleLabels;
  /** How many records to return; -1 means all. */
  limit: number;
  /**
   * `record-id` adds `_koverse_record_id` to each record. `all` also adds `_koverse_dataset_id`, `_koverse_timestamp`
   * and `_koverse_security_label`.
   */
  internalFields?: InternalFields;
  /** Separates records by newlines instead of commas. */
  asLines?: boolean | undefined;
  /** Aborts the statement. */
  signal?: AbortSignal | undefined;
  /** The person who reads; the connections of the engine are shared fairly among people. */
  person?: string | undefined;
}

/** A search for the records of one dataset that match a Lucene expression. */
export interface SearchRequest extends ReadRequest {
  tree: LuceneNode;
  offset: number;
  /** Whether only records of documents match. */
  documents?: boolean;
  /** If false, the caller will not call `total`, and `progress.more` says whether there are more matches. */
  countTotal?: boolean | undefined;
  /** Whether the caller will read the rows as a file, so that `rows` is not used. */
  isTable?: boolean | undefined;
}

/** Records of a range of ids, in the order of their ids. An empty string means no bound. */
export interface SequenceRequest extends ReadRequest {
  /** Starts after this id. */
  after?: string | undefined;
  /** Starts at this id. */
  from?: string | undefined;
  /** Ends at this id. */
  until?: string | undefined;
}

/** A dataset that a statement can name, as its reader sees it. */
export type SqlSource = Omit<SqlDataset, 'table'>;

export interface SqlRequest extends Pick<
  ReadRequest,
  'asLines' | 'internalFields' | 'limit' | 'person' | 'signal'
> {
  parsed: ParsedSql;
  /** Resolves a table name of the statement. */
  find(name: WrittenName): SqlSource | 'ambiguous' | undefined;
  /** The statement reads only records of this dataset that match the search. */
  search?: Pick<SearchRequest, 'datasetId' | 'tree' | 'visible'> | undefined;
  offset: number;
  /** If false, the caller will not call `total` unless all rows are read. */
  countTotal?: boolean | undefined;
  /** Whether the caller will use `table` instead of `rows`. */
  isTable?: boolean | undefined;
  /** The value of now(). */
  now: Date;
}

/** The result of an SQL query. Its rows are streamed, so `progress` is complete only when they have ended. */
export interface SqlRead {
  rows: RecordStream;
  /** The same rows as one file with typed columns. */
  table(format: TableFormat): AsyncIterable<Uint8Array>;
  /**
   * How many rows there are without limit and offset. If all rows are read, this is their number once they have ended;
   * called earlier, it runs the statement again to count them.
   */
  total: () => Promise<number>;
  progress: Readonly<RowStreamResult>;
  /** The columns by name; for whole records, the fields of their dataset. */
  schema: Record<string, { type: string }>;
  /** Whether the rows are whole records of one dataset. */
  isRecords: boolean;
  /** The ids of the datasets that the statement reads. */
  datasetIds: readonly string[];
}

/** Chunks of a JSON array: records with commas between them, without the brackets. */
export type RecordStream = AsyncIterable<Uint8Array>;

export interface RecordReads {
  /**
   * Finds matching records in the order of their ids. `total` is the number of visible matches. It is counted while
   * rows are read; if all rows are read, it is their number once they have ended. `progress` is complete when the rows
   * have ended.
   */
  search(
    request: SearchRequest,
  ): Promise<{ rows: RecordStream; total: () => Promise<number>; progress: Readonly<RowStreamResult> }>;
  /** Reads a range. When the rows have ended, `progress` has the id of the last record and whether there are more. */
  sequence(request: SequenceRequest): { rows: RecordStream; progress: Readonly<RowStreamResult> };
  /** Runs a SQL statement. Its rows have the same order each time. */
  sql(request: SqlRequest): Promise<SqlRead>;
}

export function createRecordReads({
  engine,
  database,
  cache,
  limits,
  wordsByPath,
  blocks,
}: {
  engine: Engine;
  database: string;
  cache: CatalogCache;
  limits: StoreLimits;
  blocks: BlockSizes;
  wordsByPath: Pick<WordsByPathIndexes, 'isFilled'>;
}): RecordReads {
  const compileMatching = createCompileMatching({ cache, wordsByPath });
  const tableOf = (datasetId: string): { database: string; datasetId: string } => ({
    database,
    datasetId: tableName(datasetId),
  });

  const { blockOptions, countOf, fitsBlock, options, readRows, startWhole } = createBlockReads({
    engine,
    limits,
    blocks,
  });

  function stream(
    sql: string,
    request: ReadRequest & RowsRequest,
    progress: RowStreamResult,
    result?: Promise<Uint8Array>,
  ): RecordStream {
    const { limit, internalFields } = request;
    return (async function* () {
      const members = internalFields === undefined ? undefined : await membersOf(request);
      const chunks = readRows(sql, request, result);
      const separator = request.asLines === true ? separators.lines : separators.list;
      const { hidden } = request.visible;
      yield* jsonRecords(chunks, { limit, members, separator, hidden }, progress);
    })();
  }

  async function membersOf({ datasetId, visible, internalFields }: ReadRequest) {
    if (internalFields === 'record-id') return recordIdMember;
    const labels = await cache.labels(datasetId, visible.version);
    const labelTexts = new Map<number, string>();
    const labelText = (id: number): string => {
      let text = labelTexts.get(id);
      if (text === undefined) labelTexts.set(id, (text = JSON.stringify(labels[id]?.expression ?? '')));
      return text;
    };
    const dataset = JSON.stringify(datasetId);
    // Records of one write have the same time.
    let moment = { ms: Number.NaN, text: '' };
    const momentText = (ms: number): string => {
      if (ms !== moment.ms) moment = { ms, text: new Date(ms).toISOString() };
      return moment.text;
    };
    return (recordId: string, labelId: number, timestampMs: number): string =>
      `"_koverse_record_id":"${recordId}","_koverse_dataset_id":${dataset},"_koverse_timestamp":"${momentText(timestampMs)}","_koverse_security_label":${labelText(labelId)}`;
  }

  return {
    async search(request) {
      const { datasetId, tree, visible, limit, offset, documents = false, countTotal = true } = request;
      const { rows, count, settings } = compileSearch({
        table: tableOf(datasetId),
        tree,
        documents,
        paths: await cache.pathEntries(datasetId),
        visible,
        byPath: await wordsByPath.isFilled(datasetId),
        limit: countTotal || limit < 0 ? limit : limit + 1,
        offset,
        columns: request.internalFields === undefined ? 'plain' : 'internal',
      });
      const search = { ...request, settings };
      const counting = (): Promise<number> => countOf(count, search);
      const beforehand = limit < 0 || !countTotal ? undefined : counting();
      // If the rows are read first, they report the error; the error of the count must not become an unhandled
      // rejection.
      beforehand?.catch(() => undefined);
      // Start reading the page and its total now, because the caller has other work in the meantime.
      const page = (await fitsBlock(request)) ? startWhole(rows, search) : undefined;
      page?.catch(() => undefined);
      const progress = createRowStreamResult();
      const total = async (): Promise<number> => beforehand ?? totalOfAll(progress, offset) ?? counting();
      return { rows: stream(rows, search, progress, page), total, progress };
    },

    async sql({
      parsed,
      find,
      search,
      limit,
      offset,
      countTotal = true,
      internalFields,
      asLines,
      isTable,
      now,
      signal,
      person,
    }) {
      const owner = { signal, person };
      const matching = search === undefined ? undefined : await compileMatching(search);
      const compiled = compileSql({
        parsed,
        catalog: {
          find: (name) => {
            const source = find(name);
            if (typeof source !== 'object') return source;
            return {
              ...source,
              table: tableOf(source.id),
              ...(source.id === search?.datasetId && { matching }),
            };
          },
        },
        now,
        limit,
        offset,
        columns: internalFields === undefined ? 'plain' : 'internal',
      });
      const progress = createRowStreamResult();
      const [first] = compiled.datasets;
      const count = async (): Promise<number> => Number(await engine.text(compiled.count, options(0, owner)));
      const whole = startWhole(compiled.rows, { ...owner, limit, isTable });
      // The caller has other work before it reads the rows; an error until then must not become an unhandled rejection.
      whole?.catch(() => undefined);
      // If the rows end before the limit, their number is the total, and the statement need not run again.
      const beforehand = (countTotal ? whole : undefined)?.then(async (result) => {
        const rows = lineCount(result);
        return totalOfAll({ rows, ended: rows <= limit }, offset) ?? count();
      });
      beforehand?.catch(() => undefined);
      const total = async (): Promise<number> =>
        beforehand ?? (limit < 0 ? totalOfAll(progress, offset) : undefined) ?? count();
      const isRecords = compiled.schema === undefined && first !== undefined;
      const source = isRecords ? { datasetId: first.id, visible: first.visible, internalFields } : noRecords;
      return {
        rows: stream(compiled.rows, { ...source, ...owner, limit, asLines, aside: true }, progress, whole),
        table: async function* (format) {
          const labels =
            isRecords && internalFields === 'all' ? await cache.labels(first.id, first.visible.version) : [];
          const typed = compiled.typed(isRecords ? internalColumns(source, labels) : []);
          // Pages of files use short connections, so the rows must use another lane.
          const queryOptions = {
            ...(await blockOptions(isWhole(limit) ? limit : -1, { datasetId: source.datasetId, ...owner })),
            format: 'TabSeparated',
            aside: true,
          };
          const text = isWhole(limit)
            ? oneChunk(engine.bytes(typed.rows, queryOptions))
            : engine.query(typed.rows, queryOptions);
          yield* typedTable({ engine, typed, format, text, options: options(0, owner) });
        },
        total,
        progress,
        isRecords,
        schema: compiled.schema ?? schemaOfFields(first?.fields ?? []),
        datasetIds: compiled.datasets.map(({ id }) => id),
      };
    },

    sequence(request) {
      const { datasetId, visible, limit } = request;
      const progress = createRowStreamResult();
      const sql = compileRangeRead({
        table: tableOf(datasetId),
        visible,
        limit: limit < 0 ? -1 : limit + 1,
        columns: request.internalFields === undefined ? 'plain' : 'internal',
        ...bounds(request),
      });
      return { rows: stream(sql, request, progress), progress };
    },
  };
}

/** Rows that are not records get no internal fields. */
const noRecords = { datasetId: '', visible: noVisibleLabels, internalFields: undefined };

const schemaOfFields = (fields: readonly SqlField[]): Record<string, { type: string }> =>
  Object.fromEntries(fields.filter(({ topLevel }) => topLevel).map(({ path, type }) => [path, { type }]));

/** The total, if all rows after the offset were read. */
const totalOfAll = (
  { rows, ended }: Pick<RowStreamResult, 'ended' | 'rows'>,
  offset: number,
): number | undefined => (ended && (rows > 0 || offset === 0) ? offset + rows : undefined);

/** Counts rows by newlines, because values contain none. */
function lineCount(result: Uint8Array): number {
  let lines = 0;
  for (let at = result.indexOf(0x0a); at !== -1; at = result.indexOf(0x0a, at + 1)) lines++;
  return lines;
}

function bounds({ after, from, until }: SequenceRequest): Pick<SequenceText, 'after' | 'from' | 'until'> {
  return {
    ...(after === undefined || after === '' ? {} : { after }),
    ...(from === undefined || from === '' ? {} : { from }),
    ...(until === undefined || until === '' ? {} : { until }),
  };
}
