import { isPage, type RecordStream, type TableFormat } from '@redoubt/records';
import type { Clock } from '../../platform/runtime.ts';
import type { ResponseFormat } from './response-format.ts';
import { collectResponseBody, type ResponseBody } from './response-body.ts';
import { splitChunks } from './disconnect-signal.ts';
import { recordBatch, recordLines, type RecordBatchTrailer } from './record-batch.ts';
import { whileAllowed } from './visibility-check.ts';

/** Options of a response with records. */
export interface ResponseOptions {
  format: ResponseFormat;
  /** Aborts when the client disconnects or cancels the query. */
  signal: AbortSignal;
  /** Called with the number of rows when all of a JSON response has been read. */
  onComplete?: ((rows: number) => void) | undefined;
  /** Returns only records of documents, with the extra fields of document queries. Always in JSON. */
  documents?: boolean;
}

export interface RecordsResponse {
  format: ResponseFormat;
  /**
   * The number of visible records that match, or that the dataset has. Undefined if it was not counted, and for JSON,
   * which has it at the end of the body.
   */
  total: number | undefined;
  body: ResponseBody;
}

/** Makes the response in the requested format. Neither `rows` nor `table` does any work until it is read. */
export const createRecordsResponse = async (
  format: ResponseFormat,
  source: {
    rows: RecordStream;
    table: (format: TableFormat) => AsyncIterable<Uint8Array>;
    /** The requested number of rows; -1 means all. */
    limit: number;
    isAllowed: () => Promise<boolean>;
    /** When the visibility of the reader was resolved. */
    since: Date;
    clock: Clock;
    /** Undefined if the request wants no total. */
    total: () => number | undefined | Promise<number>;
    end: () => RecordBatchTrailer | Promise<RecordBatchTrailer>;
  },
): Promise<RecordsResponse> => {
  const { rows, limit, isAllowed, since, clock, total, end } = source;
  const body = (chunks: AsyncIterable<Uint8Array>): Promise<ResponseBody> =>
    collectResponseBody(whileAllowed(chunks, isAllowed, clock, since), isPage(limit));
  switch (format) {
    case 'json':
      return { format, total: undefined, body: await body(recordBatch(rows, end)) };
    case 'lines':
      return { format, total: await total(), body: await body(recordLines(rows)) };
    case 'arrow':
    case 'csv':
    case 'parquet':
      return { format, total: await total(), body: await body(splitChunks(source.table(format))) };
  }
};
