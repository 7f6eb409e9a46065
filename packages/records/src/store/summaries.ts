import { emptyVisibleLabels, type VisibleLabels } from '@redoubt/labels';
import {
  compileSearch,
  compileSql,
  matchesNothing,
  type LuceneNode,
  type ParsedSql,
  type WrittenName,
} from '@redoubt/query';
import { RedoubtError } from '@redoubt/errors';
import type { Engine, StatementOptions } from '../engine/engine.ts';
import type { CatalogCache } from './catalog-cache.ts';
import type { SqlSource } from './read-records.ts';
import { tableName } from './record-table.ts';
import { jsonRecords, startProgress } from './row-stream.ts';
import { statementOptions } from './statement-options.ts';
import type { StoreLimits } from './store-limits.ts';

/** A dataset that is looked into, as far as its reader sees it. */
export interface SummarySource {
  datasetId: string;
  visible: VisibleLabels;
  /** A number that is another one after any change to the dataset's paths, as of this request. */
  pathVersion: number;
}

/** What was found in one dataset: `records` are the first matches, with commas between them. */
export interface Summary {
  datasetId: string;
  total: number;
  records: Uint8Array;
}

interface SummaryRequest {
  /** Records of each dataset, 1 at least. */
  limit: number;
  /** Stops the engine's work. */
  signal?: AbortSignal | undefined;
  person: string;
}

export interface SearchSummaryRequest extends SummaryRequest {
  tree: LuceneNode;
  sources: readonly SummarySource[];
}

export interface SqlSummaryRequest extends SummaryRequest {
  parsed: ParsedSql;
  /** The name that stands for each of the datasets in turn. */
  isDataset(name: WrittenName): boolean;
  sources: readonly SqlSource[];
  now: Date;
}

export interface Summarising {
  /** The matches in each of many datasets; those without any are left out. The order is that of `sources`. */
  summariseSearch(request: SearchSummaryRequest): Promise<Summary[]>;
  /**
   * The rows that a statement gives for each of many datasets. A dataset that the statement does not fit (it names a field that
   * no visible record has, or takes one for another type) has none.
   * @throws RedoubtError where it fits none of them
   */
  summariseSql(request: SqlSummaryRequest): Promise<Summary[]>;
}

/** The statements about one dataset: one row more than asked for tells that there are more, and then they are counted. */
interface Part {
  datasetId: string;
  rows: string;
  count: string;
  hidden: readonly string[];
}

/** Datasets of one statement: enough to save the cost of statements, few enough to run side by side. */
const partsOfStatement = 25;
/** Characters of one statement. */
const longestStatement = 400_000;
/** Statements that run side by side: as many as one person's share of a lane. */
const sideBySide = 3;

/** @param cache what is known of the paths of datasets */
export function createSummarising({
  engine,
  database,
  cache,
  limits,
}: {
  engine: Engine;
  database: string;
  cache: CatalogCache;
  limits: StoreLimits;
}): Summarising {
  const tableOf = (datasetId: string) => ({ database, datasetId: tableName(datasetId) });

  const options = (request: SummaryRequest): StatementOptions => {
    const short = statementOptions(limits, 'querySeconds', 'short', request);
    // Each of the datasets is read by one thread: starting more takes longer than reading most of them.
    return { ...short, settings: { ...short.settings, max_threads: 1 } };
  };

  /** Asks the same of many datasets; the rows of each, without their number. */
  async function ask(
    statements: readonly { index: number; sql: string }[],
    request: SummaryRequest,
  ): Promise<Map<number, string[]>> {
    const answers = await inTurns(together(statements), async (sql) => engine.text(sql, options(request)));
    const rows = new Map<number, string[]>();
    for (const line of answers.flatMap((answer) => answer.split('\n'))) {
      const end = line.indexOf('\t');
      if (end === -1) continue;
      const index = Number(line.slice(0, end));
      const own = rows.get(index);
      if (own === undefined) rows.set(index, [line.slice(end + 1)]);
      else own.push(line.slice(end + 1));
    }
    return rows;
  }

  async function summarise(parts: readonly Part[], request: SummaryRequest): Promise<Summary[]> {
    const { limit } = request;
    const asked = parts.map(({ rows }, index) => ({
      index,
      sql: `SELECT ${index} AS part, rowNumberInAllBlocks() AS place, * FROM (${rows})`,
    }));
    const found = await ask(asked, request);
    const counted = [...found].filter(([, rows]) => rows.length > limit).map(([index]) => index);
    const counts = await ask(
      counted.map((index) => ({
        index,
        sql: `SELECT ${index} AS part, * FROM (${parts[index]?.count ?? ''})`,
      })),
      request,
    );
    return Promise.all(
      parts.flatMap(({ datasetId, hidden }, index) => {
        const rows = found.get(index);
        if (rows === undefined) return [];
        const total = rows.length > limit ? Number(counts.get(index)?.[0]) : rows.length;
        return [recordsOf(rows, limit, hidden).then((records) => ({ datasetId, total, records }))];
      }),
    );
  }

  return {
    async summariseSearch(request) {
      const { tree, sources, limit } = request;
      const parts = sources
        .filter(({ visible }) => visible.size > 0)
        .map(async ({ datasetId, visible, pathVersion }) => {
          const paths = await cache.pathEntries(datasetId, pathVersion);
          if (matchesNothing({ tree, paths, visible })) return [];
          const search = { table: tableOf(datasetId), tree, paths, visible, offset: 0 };
          const compiled = compileSearch({ ...search, limit: limit + 1, columns: 'plain' });
          return [{ datasetId, ...compiled, hidden: visible.hidden }];
        });
      return summarise((await Promise.all(parts)).flat(), request);
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
          const { hidden } = compiled.schema === undefined ? source.visible : emptyVisibleLabels;
          parts.push({ datasetId: source.id, rows: compiled.rows, count: compiled.count, hidden });
        } catch (fault) {
          if (!(fault instanceof RedoubtError) || fault.name === 'TableNotFoundError') throw fault;
          refusal ??= fault;
        }
      }
      if (parts.length === 0 && refusal !== undefined) throw refusal;
      return summarise(parts, request);
    },
  };
}

/** Puts statements into one, as many as are good together. */
function together(statements: readonly { sql: string }[]): string[] {
  const texts: string[] = [];
  let current: string[] = [];
  let length = 0;
  for (const { sql } of statements) {
    if (
      current.length === partsOfStatement ||
      (current.length > 0 && length + sql.length > longestStatement)
    ) {
      texts.push(current.join(' UNION ALL '));
      current = [];
      length = 0;
    }
    current.push(sql);
    length += sql.length;
  }
  if (current.length > 0) texts.push(current.join(' UNION ALL '));
  return texts;
}

/** Does work side by side, a few at a time; the results are in the order of the items. The first fault ends it. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = [...items.entries()].toReversed();
  const worker = async (): Promise<void> => {
    try {
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
        const [index, item] = next;
        results[index] = await work(item);
      }
    } catch (fault) {
      queue.length = 0;
      throw fault;
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, worker));
  return results;
}

/** The first rows by their places, as members of a JSON list. */
async function recordsOf(rows: string[], limit: number, hidden: readonly string[]): Promise<Uint8Array> {
  const placed = rows.map((row) => {
    const end = row.indexOf('\t');
    return { place: Number(row.slice(0, end)), row: row.slice(end + 1) };
  });
  const sorted = placed.toSorted((a, b) => a.place - b.place);
  const text = Buffer.from(sorted.map(({ row }) => `${row}\n`).join(''));
  const pieces: Uint8Array[] = [];
  for await (const piece of jsonRecords(
    oneChunk(text),
    { limit, members: undefined, hidden },
    startProgress(),
  ))
    pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

async function* oneChunk(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk;
}
