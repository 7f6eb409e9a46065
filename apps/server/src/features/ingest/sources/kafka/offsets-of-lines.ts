import { messagePlace } from '@redoubt/file-formats';
import type { Offsets, ReadRange } from './topic-messages.ts';

const placeOf = (line: string): [topic: string, partition: number, offset: bigint] | undefined => {
  const [, topic, partition, offset] = messagePlace.exec(line) ?? [];
  return topic === undefined || offset === undefined ? undefined : [topic, Number(partition), BigInt(offset)];
};

/**
 * The offsets after the lines of a segment that have an outcome.
 * @param offsets after the whole segment
 * @param ranges of the partitions that have messages in it
 */
export const offsetsOfLines = async (
  offsets: Offsets,
  ranges: readonly ReadRange[],
  lines: AsyncIterable<string>,
): Promise<Offsets> => {
  const reached: Record<string, string> = { ...offsets };
  for (const { key, firstOffset } of ranges) reached[key] = firstOffset;
  for await (const line of lines) {
    const [topic, partition, offset] = placeOf(line) ?? [];
    const range = ranges.find((one) => one.topic === topic && one.partition === partition);
    if (range !== undefined && offset !== undefined) reached[range.key] = String(offset + 1n);
  }
  return reached;
};
