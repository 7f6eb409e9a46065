import {
  Admin,
  Consumer,
  kGetApi,
  kGetConnection,
  type API,
  type Broker,
  type ClusterMetadata,
  type Connection,
  type fetchV17,
} from '@platformatic/kafka';
import type { TopicConnection } from './topic-messages.ts';

export type { RecordsBatch } from '@platformatic/kafka';
export type FetchResponse = fetchV17.FetchResponse;

/** What a broker is asked for: the partitions of a topic, and their next offsets. */
export interface FetchTopic {
  topicId: string;
  partitions: { partition: number; fetchOffset: bigint }[];
}

/** The special times of a list of offsets. */
export const offsetTimes = { latest: -1n, earliest: -2n } as const;

/** Offsets of the partitions of topics, by their names. */
export type ListedOffsets = ReadonlyMap<string, readonly bigint[]>;

export interface KafkaClient {
  /** @param isFresh whether to ask the cluster again */
  metadata(isFresh: boolean): Promise<ClusterMetadata>;
  /** The offsets at a time: of committed messages only. -1 if there is no message since then. */
  offsetsAt(time: bigint): Promise<ListedOffsets>;
  /**
   * Fetches from one broker. The response may contain errors of partitions.
   * @param maxBytes the size of the response; a message that is larger comes alone
   */
  fetch(broker: Broker, topics: readonly FetchTopic[], maxBytes: number): Promise<FetchResponse>;
  /** Tells the cluster how far a group has read, for tools that show its lag. */
  commit(offsets: readonly { topic: string; partition: number; offset: bigint }[]): Promise<void>;
  /** The names of all topics that the user may see, without those of the cluster itself. */
  listTopics(): Promise<string[]>;
}

/** The enum of the protocol: a text in its place is ignored by brokers, and lets aborted messages through. */
const readCommitted = 1;

/** Before the names of groups, so that no request moves the offsets of a group of other programs. */
const groupPrefix = 'redoubt-';

const maxWaitMs = 500;
const maxPartitionBytes = 4_000_000;

const hasResponse = (error: unknown): error is { response: FetchResponse } =>
  typeof error === 'object' &&
  error !== null &&
  'response' in error &&
  typeof error.response === 'object' &&
  error.response !== null &&
  'responses' in error.response;

/** A client that belongs to no group: which offsets it reads is decided by the server, so no rebalance moves it. */
export const createKafkaClient = (connection: TopicConnection): KafkaClient => {
  const { servers, topics, groupId = '', sasl, isSecure, ca } = connection;
  const group = `${groupPrefix}${groupId}`;
  const names = [...topics];
  const options = {
    clientId: 'redoubt',
    bootstrapBrokers: servers.map(({ host, port }) => ({ host, port })),
    autocreateTopics: false,
    retries: 2,
    retryDelay: 500,
    connectTimeout: 10_000,
    metadataMaxAge: 5000,
    ...(sasl === undefined ? {} : { sasl }),
    ...(isSecure
      ? { tls: { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) }, tlsServerName: true }
      : {}),
  };
  const consumer = new Consumer({ ...options, groupId: group });

  const api = <Words extends unknown[], Result>(name: string): Promise<API<Words, Result>> =>
    new Promise((resolve, reject) => {
      consumer[kGetApi]<Words, Result>(name, (error, found) =>
        found === undefined ? reject(error ?? new Error(`There is no ${name}.`)) : resolve(found),
      );
    });
  const connectTo = (broker: Broker): Promise<Connection> =>
    new Promise((resolve, reject) => {
      consumer[kGetConnection](broker, (error, found) =>
        found === undefined ? reject(error ?? new Error('There is no connection.')) : resolve(found),
      );
    });

  return {
    metadata: (isFresh) => {
      if (isFresh) consumer.clearMetadata();
      return consumer.metadata({ topics: names, autocreateTopics: false });
    },
    offsetsAt: (timestamp) =>
      consumer.listOffsets({ topics: names, timestamp, isolationLevel: readCommitted }),
    fetch: async (broker, requested, maxBytes) => {
      const fetch = await api<unknown[], FetchResponse>('Fetch');
      const connected = await connectTo(broker);
      const sent = requested.map(({ topicId, partitions }) => ({
        topicId,
        partitions: partitions.map((partition) => ({
          ...partition,
          partitionMaxBytes: maxPartitionBytes,
          currentLeaderEpoch: -1,
          lastFetchedEpoch: -1,
        })),
      }));
      try {
        // Without a session (0, -1), each response belongs to its request alone.
        return await fetch.async(connected, maxWaitMs, 1, maxBytes, readCommitted, 0, -1, sent, [], '');
      } catch (error) {
        if (hasResponse(error)) return error.response;
        throw error;
      }
    },
    commit: async (offsets) => {
      const [coordinator, commit] = await Promise.all([
        consumer.findGroupCoordinator(),
        api<unknown[], unknown>('OffsetCommit'),
      ]);
      const broker = (await consumer.metadata({ topics: names })).brokers.get(coordinator);
      if (broker === undefined) return;
      const byTopic = Map.groupBy(offsets, ({ topic }) => topic);
      const sent = Array.from(byTopic, ([name, partitions]) => ({
        name,
        partitions: partitions.map(({ partition, offset }) => ({
          partitionIndex: partition,
          committedOffset: offset,
          committedLeaderEpoch: -1,
          committedMetadata: null,
        })),
      }));
      // -1 and no member: a group without members takes offsets from anybody who may write them.
      await commit.async(await connectTo(broker), group, -1, '', null, sent);
    },
    listTopics: async () => {
      const admin = new Admin(options);
      try {
        return await admin.listTopics();
      } finally {
        await admin.close();
      }
    },
  };
};
