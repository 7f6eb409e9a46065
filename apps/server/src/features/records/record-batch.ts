import type { DatasetSchema } from '@redoubt/contract';
import type { RecordStream } from '@redoubt/records';
import { Readable } from 'node:stream';
import type { Static } from 'typebox';

/** The parts of an answer that are known once its rows have been read. */
export interface BatchEnd {
  schema: Static<typeof DatasetSchema>;
  lastRecordId: string | undefined;
  more: boolean;
  total: number;
}

/**
 * The answer with records as a stream, so that memory does not grow with it. It resolves when the first rows are
 * there: a fault before that is still an error answer, and one after it ends the stream in the middle of the JSON.
 * @param end is asked when the rows have ended
 */
export const recordBatch = async (rows: RecordStream, end: () => BatchEnd): Promise<Readable> => {
  const iterator = rows[Symbol.asyncIterator]();
  const first = await iterator.next();
  const rest: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => iterator };
  return Readable.from(answer(first.done === true ? undefined : first.value, rest, end), {
    objectMode: false,
  });
};

async function* answer(
  first: Uint8Array | undefined,
  rest: AsyncIterable<Uint8Array>,
  end: () => BatchEnd,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"records":[');
  if (first !== undefined) {
    yield first;
    yield* rest;
  }
  const { schema, lastRecordId, more, total } = end();
  const tail = JSON.stringify({ schema, lastRecordId: lastRecordId ?? null, more, total });
  yield Buffer.from(`],${tail.slice(1)}`);
}
