import type { VisibleLabels } from '@redoubt/labels';
import {
  compileRecordLookup,
  compileSql,
  compileVisibleState,
  querySettings,
  type LuceneNode,
  type ParsedSql,
} from '@redoubt/query';
import { createColumnStripper } from '../columns/strip-columns.ts';
import type { Engine } from '../engine/engine.ts';
import type { BlockSizes } from './block-sizes.ts';
import type { CatalogCache } from './catalog-cache.ts';
import { createCompileMatching } from './compile-matching.ts';
import type { SqlSource } from './record-reads.ts';
import { tableName } from './record-table.ts';
import { jsonRecords, createRowStreamResult } from './row-stream.ts';
import { statementOptions, type StatementOwner } from './statement-options.ts';
import type { StoreLimits } from './store-limits.ts';
import type { WordsByPathIndexes } from './words-by-path.ts';

/** The bytes of one record id in a list of ids. */
export const packedIdBytes = 16;

/** A statement whose only table is one dataset. */
export interface DatasetStatement extends Omit<StatementOwner, 'settings'> {
  parsed: ParsedSql;
  source: SqlSource;
  /** The statement reads only records that match this search. */
  tree?: LuceneNode | undefined;
  /** How many rows to return; -1 means all. */
  limit: number;
  offset: number;
  /** The value of now(). */
  now: Date;
}

interface VisibleRecords extends Omit<StatementOwner, 'settings'> {
  datasetId: string;
  visible: VisibleLabels;
}

/** Reads for tables on a screen. */
export interface RecordViews {
  /**
   * A text that changes when a visible record is added, written again, relabelled or removed. Hidden records do not
   * change it. It is not for responses.
   */
  visibleState(request: VisibleRecords): Promise<string>;
  /** The ids of the records that a statement selects with `SELECT *`, in its order; 16 bytes each. */
  readIds(request: DatasetStatement): Promise<Buffer>;
  /** The rows of a statement that returns no whole records, as objects. Numbers beyond 2^53 lose digits. */
  readRows(request: DatasetStatement): Promise<Record<string, unknown>[]>;
  /** Reads the visible records among these, in the order of their ids. */
  lookUp(request: VisibleRecords & { ids: Buffer }): AsyncIterable<{ id: string; record: Buffer }>;
}

/** The texts of packed ids. */
export function unpackIds(ids: Buffer): string[] {
  return Array.from({ length: ids.length / packedIdBytes }, (_, index) => {
    const hex = ids.toString('hex', index * packedIdBytes, (index + 1) * packedIdBytes);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  });
}

export function createRecordViews({
  engine,
  database,
  cache,
  limits,
  wordsByPath,
  blocks,
  stateOf,
}: {
  engine: Engine;
  database: string;
  cache: CatalogCache;
  limits: StoreLimits;
  wordsByPath: Pick<WordsByPathIndexes, 'isFilled'>;
  blocks: BlockSizes;
  /** Identifies the state of the table of a dataset. */
  stateOf: (datasetId: string) => Promise<string>;
}): RecordViews {
  const compileMatching = createCompileMatching({ cache, wordsByPath });
  const tableOf = (datasetId: string) => ({ database, datasetId: tableName(datasetId) });
  /** The last known state for readers of these labels. */
  const states = new WeakMap<VisibleLabels, { key: string; state: Promise<string> }>();

  async function compile(
    { parsed, source, tree, limit, offset, now }: DatasetStatement,
    columns: 'id' | 'plain',
  ) {
    const matching =
      tree === undefined
        ? undefined
        : await compileMatching({ datasetId: source.id, visible: source.visible, tree });
    const dataset = { ...source, table: tableOf(source.id), matching };
    return compileSql({ parsed, catalog: { find: () => dataset }, now, limit, offset, columns });
  }

  return {
    async visibleState({ datasetId, visible, ...owner }) {
      if (visible.size === 0) return 'nothing';
      const key = `${datasetId} ${await stateOf(datasetId)}`;
      const known = states.get(visible);
      if (known?.key === key) return known.state;
      const state = engine.text(
        compileVisibleState({ table: tableOf(datasetId), visible }),
        statementOptions(limits, 'querySeconds', 'short', { person: owner.person }),
      );
      states.set(visible, { key, state });
      // Another request may not wait for a statement that was aborted or failed.
      state.catch(() => states.delete(visible));
      return state;
    },

    async readIds(request) {
      const { rows } = await compile(request, 'id');
      const chunks: Uint8Array[] = [];
      const options = { ...statementOptions(limits, 'querySeconds', 'long', request), format: 'RowBinary' };
      for await (const chunk of engine.query(rows, options)) chunks.push(Uint8Array.from(chunk));
      const ids = Buffer.concat(chunks);
      // The statement returns one row more than the limit if there are more.
      return request.limit < 0 ? ids : ids.subarray(0, request.limit * packedIdBytes);
    },

    async readRows(request) {
      const { rows } = await compile(request, 'plain');
      const options = statementOptions(limits, 'querySeconds', 'short', request);
      const text = await engine.bytes(rows, { ...options, format: 'TSVRaw' });
      const pieces: Uint8Array[] = [];
      const records = jsonRecords(
        (async function* () {
          yield text;
        })(),
        { limit: request.limit, members: undefined },
        createRowStreamResult(),
      );
      for await (const piece of records) pieces.push(Buffer.from(piece));
      return JSON.parse(`[${Buffer.concat(pieces).toString()}]`) as Record<string, unknown>[];
    },

    async *lookUp({ datasetId, visible, ids, ...owner }) {
      if (ids.length === 0) return;
      const sql = compileRecordLookup({ table: tableOf(datasetId), visible, ids: unpackIds(ids) });
      const options = {
        ...statementOptions(limits, 'querySeconds', 'long', owner),
        settings: { ...querySettings, max_block_size: await blocks.rowsOf(datasetId) },
        format: 'TSVRaw',
      };
      const stripper = visible.hidden.length === 0 ? undefined : createColumnStripper(visible.hidden);
      for await (const row of splitRows(engine.query(sql, options))) {
        const visibleRow = stripper === undefined ? row : stripper.rows(row, 1);
        const tab = visibleRow.indexOf(0x09);
        yield {
          id: visibleRow.toString('latin1', 0, tab),
          record: visibleRow.subarray(tab + 1, visibleRow.length - 1),
        };
      }
    },
  };
}

/** Splits chunks into rows, each with its newline. Values contain no newlines. */
async function* splitRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, from)) {
      yield bytes.subarray(from, end + 1);
      from = end + 1;
    }
    rest = bytes.subarray(from);
  }
  if (rest.length > 0)
    throw new Error('The record engine must return whole rows, but its result ended inside one.');
}
