import { isPage, type RecordStream, type TableFormat } from '@redoubt/records';
import type { Clock } from '../../platform/runtime.ts';
import type { ResponseFormat } from './response-format.ts';
import { collectResponseBody, type ResponseBody } from './response-body.ts';
import { smallPieces } from './disconnect-signal.ts';
import { recordBatch, recordLines, type RecordBatchTrailer } from './record-batch.ts';
import { whileAllowed } from './visibility-check.ts';

/** How a reader wants to be answered. */
export interface ResponseOptions {
  format: ResponseFormat;
  /** Stops the work when the reader goes away. */
  signal: AbortSignal;
  /** Only records of documents, with what answers about documents add; in JSON alone. */
  documents?: boolean;
}

/** Records on their way to a reader. */
export interface RecordsResponse {
  format: ResponseFormat;
  /** How many records the reader sees: those that match, or the dataset. In JSON the body says it at its end. */
  total: number | undefined;
  body: ResponseBody;
}

/** Writes an answer in the format asked for; what has not begun to be read costs nothing. */
export const createRecordsResponse = async (
  format: ResponseFormat,
  source: {
    rows: RecordStream;
    table: (format: TableFormat) => AsyncIterable<Uint8Array>;
    /** How many rows were asked for; -1 is all. */
    limit: number;
    isAllowed: () => Promise<boolean>;
    /** When it was looked up what the reader may read. */
    since: Date;
    clock: Clock;
    total: () => number | Promise<number>;
    end: () => RecordBatchTrailer | Promise<RecordBatchTrailer>;
  },
): Promise<RecordsResponse> => {
  const { rows, limit, isAllowed, since, clock, total, end } = source;
  const body = (pieces: AsyncIterable<Uint8Array>): Promise<ResponseBody> =>
    collectResponseBody(whileAllowed(pieces, isAllowed, clock, since), isPage(limit));
  switch (format) {
    case 'json':
      return { format, total: undefined, body: await body(recordBatch(rows, end)) };
    case 'lines':
      return { format, total: await total(), body: await body(recordLines(rows)) };
    case 'arrow':
    case 'csv':
    case 'parquet':
      return { format, total: await total(), body: await body(smallPieces(source.table(format))) };
  }
};
