import { parseWriteBody, type BodyShape } from './parse-write-body.ts';
import {
  prepareBatch,
  rowsWith,
  summaryOf,
  type BatchSummary,
  type PreparedBatch,
  type PrepareOptions,
} from './prepare-batch.ts';

/** The rows of what was prepared last, as bytes, with a text in front of each: one text for each of its labels. */
export type RowsOf = (which: 'inserts' | 'updates', prefixes: readonly string[]) => Promise<Buffer>;

/** A body whose records were found. Read it with `prepare`, as often as need be, and let it go with `release`. */
export interface ParsedWrite {
  /** How many records it holds. */
  readonly count: number;
  /** What the envelope held besides the records; undefined where it was not sent. */
  readonly securityLabelInfo: unknown;
  readonly columnSecurityLabelInfo: unknown;
  /** @throws RedoubtError 400 or 413 that names the index of the first record at fault */
  prepare(options: PrepareOptions): Promise<BatchSummary>;
  readonly rowsOf: RowsOf;
  /** Frees the memory that another thread holds for this body. To be called once, whatever happened. */
  release(): void;
}

/** Reads a body where it is called: for small ones, and inside the worker. */
export function parseHere(bytes: Uint8Array, shape: BodyShape): ParsedWrite {
  const body = parseWriteBody(bytes, shape);
  let batch: PreparedBatch | undefined;
  return {
    count: body.count,
    securityLabelInfo: body.securityLabelInfo,
    columnSecurityLabelInfo: body.columnSecurityLabelInfo,
    prepare: async (options) => {
      batch = prepareBatch(body, options);
      return summaryOf(batch);
    },
    rowsOf: async (which, prefixes) => {
      if (batch === undefined) throw new Error('Rows are made by prepare.');
      return rowsWith(batch[which], prefixes);
    },
    release: () => undefined,
  };
}
