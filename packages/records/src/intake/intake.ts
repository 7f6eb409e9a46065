import { freeMemory } from './free-memory.ts';
import { parseWriteBody, type WriteBodyFormat } from './parse-write-body.ts';
import { prepareBatch, toBatchSummary, type BatchSummary, type PrepareOptions } from './prepare-batch.ts';
import { prefixRows, type PreparedRows } from './prepared-rows.ts';
import {
  prepareReplacements,
  type ReplacementOptions,
  type ReplacementsSummary,
} from './prepare-replacements.ts';

/** Returns the rows that were prepared last, as bytes. Each row starts with the prefix for its label. */
export type RenderRows = (which: 'inserts' | 'updates', prefixes: readonly string[]) => Promise<Buffer>;

/** A body whose records were found. Parse it with `prepare`, which may be repeated, and free it with `release`. */
export interface ParsedWrite {
  /** How many records it contains. */
  readonly count: number;
  /** The other members of the envelope; undefined if absent. */
  readonly securityLabelInfo: unknown;
  readonly columnSecurityLabelInfo: unknown;
  /**
   * Creates the rows of new records.
   * @throws RedoubtError 400 or 413 with the index of the first wrong record
   */
  prepare(options: PrepareOptions): Promise<BatchSummary>;
  /** Creates the rows of some replacements; they replace the rows that it created before. */
  prepareReplacements(options: ReplacementOptions): Promise<ReplacementsSummary>;
  readonly rowsOf: RenderRows;
  /** Frees the memory that another thread uses for this body. Call it exactly once, also after an error. */
  release(): void;
}

/** Parses a body on the current thread: for small bodies, and inside the worker. */
export function parseWriteInThread(bytes: Uint8Array, shape: WriteBodyFormat): ParsedWrite {
  const body = parseWriteBody(bytes, shape);
  const rows: { inserts?: PreparedRows; updates?: PreparedRows } = {};
  return {
    count: body.count,
    securityLabelInfo: body.securityLabelInfo,
    columnSecurityLabelInfo: body.columnSecurityLabelInfo,
    prepare: async (options) => {
      const batch = prepareBatch(body, options);
      if (rows.inserts !== undefined) freeMemory(rows.inserts.rows.bytes.buffer);
      rows.inserts = batch.inserts;
      return toBatchSummary(batch);
    },
    prepareReplacements: async (options) => {
      const prepared = prepareReplacements(body, options);
      if (rows.updates !== undefined) freeMemory(rows.updates.rows.bytes.buffer);
      rows.updates = prepared.rows;
      const { paths, carriedPaths } = prepared;
      const { shapes, shapeOf } = prepared.rows;
      return { paths, rows: { shapes, shapeOf }, carriedPaths };
    },
    rowsOf: async (which, prefixes) => {
      const made = rows[which];
      if (made === undefined) throw new Error('Call prepare before the rows are rendered.');
      return prefixRows(made, prefixes);
    },
    release: () => {
      for (const made of [rows.inserts, rows.updates])
        if (made !== undefined) freeMemory(made.rows.bytes.buffer);
    },
  };
}
