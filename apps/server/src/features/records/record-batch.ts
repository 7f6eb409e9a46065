import type { RecordStream } from '@redoubt/records';
import { Readable } from 'node:stream';

/** The parts of an answer that are known once its rows have been read. */
export interface BatchEnd {
  schema: Record<string, { type: string }>;
  lastRecordId: string | undefined;
  more: boolean;
  total: number;
}

/**
 * The answer with records as a stream, so that memory does not grow with it. It resolves when the first rows are
 * there: a fault before that is still an error answer, and one after it ends the stream in the middle of the JSON.
 * @param end is asked when the rows have ended
 */
export const recordBatch = async (
  rows: RecordStream,
  end: () => BatchEnd | Promise<BatchEnd>,
): Promise<Readable> => {
  const pieces = piecesOf(rows, end);
  const first = await pieces.next();
  // The rows have begun, so a stream that is destroyed unread ends them, too.
  const answer = Readable.from(pieces, { objectMode: false });
  if (first.done !== true) answer.push(first.value);
  return answer;
};

async function* piecesOf(
  rows: RecordStream,
  end: () => BatchEnd | Promise<BatchEnd>,
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
