import type { FetchResponse, RecordsBatch } from './kafka-client.ts';
import type { TopicMessage } from './message-rows.ts';

type Partition = FetchResponse['responses'][number]['partitions'][number];

/** Bits of the attributes of a batch. */
const hasAppendTime = 0b1000;
const isTransactional = 0b1_0000;
const isControl = 0b10_0000;

const lastOffsetOf = ({ firstOffset, lastOffsetDelta }: RecordsBatch): bigint =>
  firstOffset + BigInt(lastOffsetDelta);

/** Whether a batch is the marker that ends a transaction without its messages. */
const isAbortMarker = ({ attributes, records }: RecordsBatch): boolean => {
  const key = records[0]?.key;
  return (attributes & isControl) !== 0 && key !== undefined && key !== null && key.readInt16BE(2) === 0;
};

/**
 * The batches with messages, without those of aborted transactions: as KIP-98 says, a producer counts as aborted from the
 * first offset that the broker lists until its marker. The marker may be in a later response.
 */
export const committedBatches = ({ records, abortedTransactions }: Partition): RecordsBatch[] => {
  const waiting = (abortedTransactions ?? []).toSorted((a, b) => Number(a.firstOffset - b.firstOffset));
  const aborted = new Set<bigint>();
  return (records ?? []).filter((batch) => {
    while (waiting[0] !== undefined && waiting[0].firstOffset <= lastOffsetOf(batch))
      aborted.add(waiting.shift()?.producerId ?? -1n);
    if (isAbortMarker(batch)) aborted.delete(batch.producerId);
    if ((batch.attributes & isControl) !== 0) return false;
    return (batch.attributes & isTransactional) === 0 || !aborted.has(batch.producerId);
  });
};

/** The offset after the last batch, whether or not it has messages. */
export const offsetAfter = ({ records }: Partition): bigint | undefined => {
  const last = records?.at(-1);
  return last === undefined ? undefined : lastOffsetOf(last) + 1n;
};

/** A message, or one without a value: it says that earlier messages with its key are deleted. */
export type ReadMessage = Omit<TopicMessage, 'value'> & { value: Buffer | null };

/** The messages of batches from an offset on: a batch is sent whole, also if it begins before. */
export function* messagesOf(
  batches: readonly RecordsBatch[],
  place: { topic: string; partition: number; from: bigint },
): Generator<ReadMessage> {
  const { topic, partition, from } = place;
  for (const { firstOffset, firstTimestamp, maxTimestamp, attributes, records } of batches) {
    for (const { offsetDelta, timestampDelta, key, value } of records) {
      const offset = firstOffset + BigInt(offsetDelta);
      if (offset < from) continue;
      const timestamp = (attributes & hasAppendTime) === 0 ? firstTimestamp + timestampDelta : maxTimestamp;
      yield { topic, partition, offset, timestamp, key, value };
    }
  }
}
