import { isMemoryLimitError } from '../engine/engine-errors.ts';
import type { Engine, StatementOptions } from '../engine/engine.ts';
import { maxBlockRows, type BlockSizes } from './block-sizes.ts';
import { statementOptions, type StatementOwner } from './statement-options.ts';
import type { StoreLimits } from './store-limits.ts';

/** Results of up to this many rows are pages, which use the lane of short statements. */
const maxPageRows = 1000;
/** Whether a result with this limit is a page; -1 means all rows. */
export const isPage = (limit: number): boolean => limit >= 0 && limit <= maxPageRows;
/** Results of up to this many rows are read at once, unless the records are large. */
const maxBufferedRows = 100;
/** Whether a result with this limit has few rows. */
export const isWhole = (limit: number): boolean => limit >= 0 && limit <= maxBufferedRows;

/**
 * Lets the engine return rows in the order of their ids block by block. Otherwise (chdb 3.4.0) it collects all rows of a
 * LIMIT before it returns the first.
 */
const inOrder = { query_plan_optimize_lazy_materialization: 0 };

/** A statement that returns rows of one dataset. */
export interface RowsRequest extends StatementOwner {
  /** Empty if the rows are not records. */
  datasetId: string;
  /** How many rows to return; -1 means all. */
  limit: number;
  /** Whether it is SQL, which runs on another thread and has an order of its own. */
  aside?: boolean;
}

/** A result as a stream of one chunk. */
export async function* oneChunk(result: Promise<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield await result;
}

/** Runs statements in blocks that fit into memory, whatever the size of the records. */
export function createBlockReads({
  engine,
  limits,
  blocks,
}: {
  engine: Engine;
  limits: StoreLimits;
  blocks: BlockSizes;
}) {
  function options(limit: number, owner: StatementOwner): StatementOptions {
    if (isPage(limit)) return statementOptions(limits, 'querySeconds', 'short', owner);
    return statementOptions(limits, 'streamSeconds', 'long', owner);
  }

  /** The same options, with smaller blocks if the dataset has large records. */
  async function blockOptions(
    limit: number,
    { datasetId, ...owner }: StatementOwner & { datasetId: string },
  ): Promise<StatementOptions> {
    const usual = options(limit, owner);
    const rows = await blocks.rowsOf(datasetId);
    if (isPage(limit) && rows === maxBlockRows) return usual;
    return { ...usual, settings: { ...usual.settings, max_block_size: rows } };
  }

  /** The same options, for rows that are much larger than others of the dataset. */
  function rowByRow(limit: number, owner: StatementOwner): StatementOptions {
    const usual = options(limit, owner);
    return { ...usual, settings: { ...usual.settings, max_block_size: 1 } };
  }

  /** Whether the records of a result fit into one block, so that it is read at once. */
  const fitsBlock = async ({
    datasetId,
    limit,
  }: Pick<RowsRequest, 'datasetId' | 'limit'>): Promise<boolean> =>
    isWhole(limit) && limit < (await blocks.rowsOf(datasetId));

  /** Starts reading a result that is read at once; `readRows` returns it. */
  function startWhole(
    sql: string,
    { limit, isTable, ...owner }: StatementOwner & { limit: number; isTable?: boolean | undefined },
  ): Promise<Uint8Array> | undefined {
    if (!isWhole(limit) || isTable) return undefined;
    return engine.bytes(sql, { ...options(limit, owner), format: 'TSVRaw' });
  }

  async function* rowsOfStatement(
    sql: string,
    request: RowsRequest,
    result: Promise<Uint8Array> | undefined,
  ): AsyncGenerator<Uint8Array> {
    const { limit, aside = false } = request;
    const format = 'TSVRaw';
    if (result !== undefined) {
      yield await result;
    } else if (await fitsBlock(request)) {
      yield await engine.bytes(sql, { ...options(limit, request), format });
    } else {
      const usual = await blockOptions(limit, request);
      const settings = aside ? { ...usual.settings } : { ...usual.settings, ...inOrder };
      yield* engine.query(sql, { ...usual, settings, format, aside });
    }
  }

  /**
   * Rows in the order of their ids. If they need too much memory together, because a few records are much larger than
   * the others, they are read again one by one.
   */
  async function* oneByOneIfLarge(
    sql: string,
    request: RowsRequest,
    rows: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    let hasRows = false;
    try {
      for await (const chunk of rows) {
        hasRows = true;
        yield chunk;
      }
      return;
    } catch (error) {
      if (hasRows || !isMemoryLimitError(error)) throw error;
    }
    const { settings, ...usual } = rowByRow(request.limit, request);
    yield* engine.query(sql, { ...usual, settings: { ...settings, ...inOrder }, format: 'TSVRaw' });
  }

  /** Runs a count, row by row if it needs too much memory otherwise. */
  async function countOf(sql: string, owner: StatementOwner & { datasetId: string }): Promise<number> {
    try {
      return Number(await engine.text(sql, await blockOptions(0, owner)));
    } catch (error) {
      if (!isMemoryLimitError(error)) throw error;
    }
    return Number(await engine.text(sql, rowByRow(0, owner)));
  }

  /** The rows of a statement as chunks of TSVRaw. `result` is a result that `startWhole` has begun to read. */
  const readRows = (
    sql: string,
    request: RowsRequest,
    result: Promise<Uint8Array> | undefined,
  ): AsyncIterable<Uint8Array> => {
    const rows = rowsOfStatement(sql, request, result);
    return request.aside === true ? rows : oneByOneIfLarge(sql, request, rows);
  };

  return { blockOptions, countOf, fitsBlock, options, readRows, startWhole };
}
