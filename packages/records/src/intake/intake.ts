import { parseWriteBody, type BodyShape } from './parse-write-body.ts';
import { prepareBatch, type PreparedBatch, type PrepareOptions } from './prepare-batch.ts';

/** A body whose records were found. Read it with `prepare`, as often as need be, and then let it go. */
export interface ParsedWrite {
  /** How many records it holds. */
  count: number;
  /** What the envelope held besides the records; undefined where it was not sent. */
  securityLabelInfo: unknown;
  columnSecurityLabelInfo: unknown;
  /** @throws RedoubtError 400 or 413 that names the index of the first record at fault */
  prepare(options: PrepareOptions): Promise<PreparedBatch>;
  release(): void;
}

/** Reads the bodies of writes. */
export interface Intake {
  /** @throws RedoubtError 400 when the body is not the shape that was asked for */
  parse(bytes: Uint8Array, shape: BodyShape): Promise<ParsedWrite>;
  close(): Promise<void>;
}

/** Reads a body where it is called: for small ones, and inside the worker. */
export function parseHere(bytes: Uint8Array, shape: BodyShape): ParsedWrite {
  const body = parseWriteBody(bytes, shape);
  return {
    count: body.count,
    securityLabelInfo: body.securityLabelInfo,
    columnSecurityLabelInfo: body.columnSecurityLabelInfo,
    prepare: async (options) => prepareBatch(body, options),
    release: () => undefined,
  };
}
