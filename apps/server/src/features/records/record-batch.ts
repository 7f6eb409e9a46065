import type { RecordStream } from '@redoubt/records';

/** The parts of an answer that are known once its rows have been read. */
export interface RecordBatchTrailer {
  schema: Record<string, { type: string }>;
  lastRecordId: string | undefined;
  more: boolean;
  total: number;
}

/**
 * The answer with records, in pieces.
 * @param end is asked when the rows have ended
 */
export async function* recordBatch(
  rows: RecordStream,
  end: () => RecordBatchTrailer | Promise<RecordBatchTrailer>,
): AsyncGenerator<Uint8Array> {
  let opening = '{"records":[';
  for await (const piece of rows) {
    yield opening === '' ? piece : Buffer.concat([Buffer.from(opening), piece]);
    opening = '';
  }
  const { schema, lastRecordId, more, total } = await end();
  const tail = JSON.stringify({ schema, lastRecordId: lastRecordId ?? null, more, total });
  yield Buffer.from(`${opening}],${tail.slice(1)}`);
}

/** The records alone, each on a line of its own. */
export async function* recordLines(rows: RecordStream): AsyncGenerator<Uint8Array> {
  let isEmpty = true;
  for await (const piece of rows) {
    isEmpty = false;
    yield piece;
  }
  if (!isEmpty) yield Buffer.from('\n');
}
