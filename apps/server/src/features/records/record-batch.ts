import type { RecordHighlights } from '@redoubt/query';
import type { RecordStream } from '@redoubt/records';

/** The properties of a response that are known once its rows have been read. */
export interface RecordBatchTrailer {
  schema: Record<string, { type: string }>;
  lastRecordId: string | undefined;
  more: boolean;
  /** null if it was not counted. */
  total: number | null;
  /** What matched in each record, if the request asks for it. */
  highlights?: readonly RecordHighlights[] | undefined;
}

/**
 * Prints the JSON of a response with records as a stream.
 * @param end is called after the last row
 */
export async function* recordBatch(
  rows: RecordStream,
  end: () => RecordBatchTrailer | Promise<RecordBatchTrailer>,
): AsyncGenerator<Uint8Array> {
  let opening = '{"records":[';
  for await (const chunk of rows) {
    yield opening === '' ? chunk : Buffer.concat([Buffer.from(opening), chunk]);
    opening = '';
  }
  const { schema, lastRecordId, more, total, highlights } = await end();
  const tail = JSON.stringify({ schema, lastRecordId: lastRecordId ?? null, more, total, highlights });
  yield Buffer.from(`${opening}],${tail.slice(1)}`);
}

/** Prints the records alone, each on its own line. */
export async function* recordLines(rows: RecordStream): AsyncGenerator<Uint8Array> {
  let isEmpty = true;
  for await (const chunk of rows) {
    isEmpty = false;
    yield chunk;
  }
  if (!isEmpty) yield Buffer.from('\n');
}
