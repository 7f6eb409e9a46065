import { parseWriteBody, type WriteBodyFormat } from './parse-write-body.ts';
import { prepareBatch, toBatchSummary, type BatchSummary, type PrepareOptions } from './prepare-batch.ts';
import { prefixRows, type PreparedRows } from './prepared-rows.ts';
import {
  prepareReplacements,
  type ReplacementOptions,
  type ReplacementsSummary,
} from './prepare-replacements.ts';

/** The rows of what was prepared last, as bytes, with a text in front of each: one text for each of its labels. */
export type RenderRows = (which: 'inserts' | 'updates', prefixes: readonly string[]) => Promise<Buffer>;

/** A body whose records were found. Read it with `prepare`, as often as need be, and let it go with `release`. */
export interface ParsedWrite {
  /** How many records it holds. */
  readonly count: number;
  /** What the envelope held besides the records; undefined where it was not sent. */
  readonly securityLabelInfo: unknown;
  readonly columnSecurityLabelInfo: unknown;
  /**
   * Makes the rows of new records.
   * @throws RedoubtError 400 or 413 that names the index of the first record at fault
   */
  prepare(options: PrepareOptions): Promise<BatchSummary>;
  /** Makes the rows of some of the records that replace others, in the place of those it made before. */
  prepareReplacements(options: ReplacementOptions): Promise<ReplacementsSummary>;
  readonly rowsOf: RenderRows;
  /** Frees the memory that another thread holds for this body. To be called once, whatever happened. */
  release(): void;
}

/** Reads a body where it is called: for small ones, and inside the worker. */
export function parseWriteInThread(bytes: Uint8Array, shape: WriteBodyFormat): ParsedWrite {
  const body = parseWriteBody(bytes, shape);
  const rows: { inserts?: PreparedRows; updates?: PreparedRows } = {};
  return {
    count: body.count,
    securityLabelInfo: body.securityLabelInfo,
    columnSecurityLabelInfo: body.columnSecurityLabelInfo,
    prepare: async (options) => {
      const batch = prepareBatch(body, options);
      rows.inserts = batch.inserts;
      return toBatchSummary(batch);
    },
    prepareReplacements: async (options) => {
      const prepared = prepareReplacements(body, options);
      rows.updates = prepared.rows;
      const { shapes, shapeOf } = prepared.rows;
      return { paths: prepared.paths, rows: { shapes, shapeOf } };
    },
    rowsOf: async (which, prefixes) => {
      const made = rows[which];
      if (made === undefined) throw new Error('Rows are made before they are asked for.');
      return prefixRows(made, prefixes);
    },
    release: () => undefined,
  };
}
