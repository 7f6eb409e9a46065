import type { ClusterMetadata } from '@platformatic/kafka';
import { setTimeout as delay } from 'node:timers/promises';
import { committedBatches, messagesOf, offsetAfter } from './committed-batches.ts';
import type { ErrorDescriber } from './describe-topic-error.ts';
import { offsetTimes, type FetchResponse, type FetchTopic, type KafkaClient } from './kafka-client.ts';
import { messageLine, rejectLine } from './message-rows.ts';
import type { SchemaRegistry } from './schema-registry.ts';
import { ReaderError } from '../reader-error.ts';
import {
  partitionKey,
  topicIdOf,
  type ReadRange,
  type TopicPlace,
  type TopicResult,
  type TopicTask,
} from './topic-messages.ts';

/** How long a cluster may be away while it is read, as when its brokers restart. */
const patienceMs = 60_000;
const retryMs = 1000;
/** The bytes that all brokers together send at once. */
const roundBytes = 16_000_000;

const offsetOutOfRange = 1;
const notAuthorized = 29;

interface Partition {
  key: string;
  topic: string;
  topicId: string;
  partition: number;
  leader: number;
}

/** All partitions of the topics of a task. */
export const partitionsOf = (metadata: ClusterMetadata, topics: readonly string[]): Partition[] =>
  topics.flatMap((topic) => {
    const { id, partitions } = metadata.topics.get(topic) ?? { id: '', partitions: [] };
    return partitions.map(({ leader }, partition) => ({
      key: partitionKey(id, partition),
      topic,
      topicId: id,
      partition,
      leader,
    }));
  });

export interface TopicReaderDeps {
  client: KafkaClient;
  registry: SchemaRegistry | undefined;
  errors: ErrorDescriber;
}

/** Reads messages from a place until a limit, an end, or for a time. @returns where it came to; undefined for no message */
export async function* readMessages(
  { client, registry, errors }: TopicReaderDeps,
  { topics, format, includeOffsets, limits }: TopicTask,
  place: TopicPlace,
): AsyncGenerator<string, TopicResult | undefined> {
  const next = new Map(Object.entries(place.offsets).map(([key, offset]) => [key, BigInt(offset)]));
  const ends =
    place.ends && new Map(Object.entries(place.ends).map(([key, offset]) => [key, BigInt(offset)]));
  const highest = new Map<string, bigint>();
  const ranges = new Map<string, ReadRange>();
  let tombstones = 0;
  let lines = 0;
  let bytes = 0;
  let deadline = performance.now() + limits.idleMs;
  let failedAt: number | undefined;
  let isFresh = true;

  const isWanted = ({ key }: Partition): boolean => {
    const end = ends?.get(key);
    // Partitions that are younger than the ends belong to a later job.
    return ends === undefined || (end !== undefined && (next.get(key) ?? 0n) < end);
  };

  /** Whether the topic of a partition was deleted before its end was reached. A topic of the same name has another id. */
  const isGone = (all: readonly Partition[]): boolean => {
    const present = new Set(all.map(({ topicId }) => topicId));
    return Array.from(ends ?? []).some(
      ([key, end]) => (next.get(key) ?? 0n) < end && !present.has(topicIdOf(key)),
    );
  };

  const addNew = async (all: readonly Partition[]): Promise<void> => {
    if (all.every(({ key }) => next.has(key))) return;
    const earliest = await client.offsetsAt(offsetTimes.earliest);
    for (const { key, topic, partition } of all)
      if (!next.has(key)) next.set(key, earliest.get(topic)?.[partition] ?? 0n);
  };

  async function* skipDeleted(from: Partition): AsyncGenerator<string> {
    const { key, topic, partition } = from;
    const [earliest, latest] = await Promise.all([
      client.offsetsAt(offsetTimes.earliest),
      client.offsetsAt(offsetTimes.latest),
    ]);
    const offset = next.get(key) ?? 0n;
    const first = earliest.get(topic)?.[partition] ?? 0n;
    const last = latest.get(topic)?.[partition] ?? 0n;
    if (offset > last) {
      throw new ReaderError(
        `Partition ${String(partition)} of the topic ${topic} ends before the offset at which this job continues: the cluster has lost messages. Start a new job with another groupId.`,
      );
    }
    if (offset >= first) return;
    yield rejectLine(
      { topic, partition, offset },
      `the cluster deleted the messages from here to offset ${String(first - 1n)} before they were read. Keep messages longer in the topic, or read it more often.`,
      '',
    );
    next.set(key, first);
  }

  async function* take(
    from: Partition,
    sent: FetchResponse['responses'][number]['partitions'][number],
  ): AsyncGenerator<string> {
    const { key, topic, partition } = from;
    const first = next.get(key) ?? 0n;
    const end = ends?.get(key);
    highest.set(key, sent.highWatermark);
    for (const message of messagesOf(committedBatches(sent), { topic, partition, from: first })) {
      if (end !== undefined && message.offset >= end) break;
      const { value } = message;
      if (value === null) {
        tombstones++;
        continue;
      }
      await registry?.prepare(value);
      yield messageLine({ ...message, value }, { format, includeOffsets }, registry?.read);
    }
    const after = offsetAfter(sent);
    if (after === undefined) return;
    const reached = end !== undefined && after > end ? end : after;
    if (reached <= first) return;
    next.set(key, reached);
    const firstOffset = ranges.get(key)?.firstOffset ?? String(first);
    ranges.set(key, { key, topic, partition, firstOffset, endOffset: String(reached) });
  }

  const fetchAll = (metadata: ClusterMetadata, wanted: readonly Partition[]) => {
    const byLeader = Map.groupBy(wanted, ({ leader }) => leader);
    return Promise.all(
      Array.from(byLeader, ([leader, of]) => {
        const broker = metadata.brokers.get(leader);
        if (broker === undefined) throw new Error('A partition has no leader.');
        const sent: FetchTopic[] = Array.from(
          Map.groupBy(of, ({ topicId }) => topicId),
          ([topicId, parts]) => ({
            topicId,
            partitions: parts.map(({ key, partition }) => ({
              partition,
              fetchOffset: next.get(key) ?? 0n,
            })),
          }),
        );
        return client.fetch(broker, sent, Math.floor(roundBytes / byLeader.size));
      }),
    );
  };

  for (;;) {
    try {
      const metadata = await client.metadata(isFresh);
      const all = partitionsOf(metadata, topics);
      if (isGone(all)) {
        // The next segment reports it: what was read so far is stored.
        if (lines > 0) break;
        throw new ReaderError(
          `A topic of ${topics.map((topic) => JSON.stringify(topic)).join(', ')} was deleted and created again before this job came to its end. Start a new job, which reads the new topic.`,
        );
      }
      await addNew(all);
      const wanted = all.filter(isWanted);
      if (wanted.length === 0) break;
      isFresh = false;
      let hasFailed = false;
      for (const response of await fetchAll(metadata, wanted)) {
        for (const { topicId, partitions } of response.responses) {
          for (const sent of partitions) {
            const from = wanted.find(
              (one) => one.topicId === topicId && one.partition === sent.partitionIndex,
            );
            if (from === undefined) continue;
            if (sent.errorCode === notAuthorized)
              throw new ReaderError(
                `The user may not read the topic ${from.topic}. Let the user read it, or name other topics.`,
              );
            if (sent.errorCode !== 0 && sent.errorCode !== offsetOutOfRange) hasFailed = true;
            const found =
              sent.errorCode === 0
                ? take(from, sent)
                : sent.errorCode === offsetOutOfRange
                  ? skipDeleted(from)
                  : [];
            for await (const line of found) {
              if (lines++ === 0) deadline = performance.now() + limits.gatherMs;
              bytes += line.length;
              yield line;
            }
          }
        }
      }
      if (hasFailed) throw new Error('A partition could not be read.');
      failedAt = undefined;
      errors.succeeded();
    } catch (cause) {
      const { error, mayPass } = errors.describe(cause);
      failedAt ??= performance.now();
      if (!mayPass) throw error;
      if (performance.now() - failedAt > patienceMs) {
        if (lines === 0) throw error;
        break;
      }
      isFresh = true;
      await delay(retryMs);
    }
    if (lines >= limits.maxMessages || bytes >= limits.maxBytes) break;
    if (performance.now() > deadline && (ends === undefined || lines > 0) && failedAt === undefined) break;
  }
  const hasMoved = Array.from(next).some(([key, offset]) => place.offsets[key] !== String(offset));
  const isAtEnd = ends !== undefined && Array.from(ends).every(([key, end]) => (next.get(key) ?? 0n) >= end);
  if (!hasMoved && !isAtEnd) return undefined;
  const lag = Array.from(highest).reduce((sum, [key, end]) => sum + (end - (next.get(key) ?? end)), 0n);
  return {
    place: {
      offsets: Object.fromEntries(Array.from(next, ([key, offset]) => [key, String(offset)])),
      ends: place.ends,
    },
    ranges: [...ranges.values()],
    lag: String(lag),
    tombstones,
    isAtEnd,
  };
}

/** The place where a job begins: after the offsets of its group, otherwise where the request says. */
export const findPlace = async (
  client: KafkaClient,
  { topics, from, until }: TopicTask,
  known: TopicPlace['offsets'],
): Promise<TopicPlace> => {
  const all = partitionsOf(await client.metadata(true), topics);
  const earliest = await client.offsetsAt(offsetTimes.earliest);
  const latest = await client.offsetsAt(offsetTimes.latest);
  const chosen =
    from === 'earliest' ? earliest : from === 'latest' ? latest : await client.offsetsAt(BigInt(from));
  const isRead = new Set(all.filter(({ key }) => key in known).map(({ topicId }) => topicId));
  const offsets: Record<string, string> = {};
  const ends: Record<string, string> = {};
  for (const { key, topic, topicId, partition } of all) {
    const at = (isRead.has(topicId) ? earliest : chosen).get(topic)?.[partition] ?? 0n;
    const end = latest.get(topic)?.[partition] ?? 0n;
    offsets[key] = known[key] ?? String(at < 0n ? end : at);
    ends[key] = String(end);
  }
  return { offsets, ends: until === 'end' ? ends : undefined };
};
